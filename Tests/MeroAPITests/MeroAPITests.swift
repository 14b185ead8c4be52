// The first file of this test target; its contents follow.
