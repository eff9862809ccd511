et_add_fuzzer(mcp_messages SOURCE mcp_messages_fuzz.cpp DEPENDS et_mcp)
