# Printed output of the inspector.
et_add_test(report_test
  SOURCES
    flame_tree_test.cpp
    phases_test.cpp
    position_times_test.cpp
    report_chrome_trace_test.cpp
    report_damage_test.cpp
    report_event_table_test.cpp
    report_json_test.cpp
    report_python_text_test.cpp
    report_quantities_test.cpp
    report_ranking_test.cpp
    report_real_traces_test.cpp
    report_support.cpp
    report_table_test.cpp
    trace_export_check.cpp
    typical_run_test.cpp
  DEPENDS et_inspector_events et_inspector_test_support simdjson::simdjson)
