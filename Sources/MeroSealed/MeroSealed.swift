// The first file of this room; its contents follow.
