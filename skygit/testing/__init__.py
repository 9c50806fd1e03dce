"""For authors of plugins: contracts to inherit, fakes that keep the ports, a scripted model server."""
