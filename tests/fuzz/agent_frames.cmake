et_add_fuzzer(agent_frames SOURCE agent_frames_fuzz.cpp ROUNDS 100 DEPENDS et_agent et_devices)
