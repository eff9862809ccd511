et_add_fuzzer(lane SOURCE lane_fuzz.cpp DEPENDS et_tasks_compare)
