"""The set-up of a run: `.skydiscover.yaml` -> Settings. The only door to YAML."""

from skygit.config.settings import FILE_NAME, Settings, load, parse, restore

__all__ = ["FILE_NAME", "Settings", "load", "parse", "restore"]
