"""The nouns of skygit: frozen values, events and their fold. Nothing here reaches the outside."""
