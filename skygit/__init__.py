"""skygit evolves multi-file code bases inside git: candidates are commits, islands are branches."""

__version__ = "0.1.0"
