"""From a model's reply to one draft, or the reason why there is none. Pure: reads a `Tree`, writes nothing.

`reply.apply_reply` is the whole way: transport, segments, carriers, the neutral form, paths,
locating, composing, judging. `judge.check` is the last step alone, for drafts made otherwise.
"""
