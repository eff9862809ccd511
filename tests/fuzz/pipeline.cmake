et_add_fuzzer(pipeline SOURCE pipeline_fuzz.cpp DEPENDS et_tasks_pipeline)
