"""The loop, the steps, the limits and the workers. Knows ports, never an adapter."""
