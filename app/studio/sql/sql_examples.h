#pragma once

#include <array>

namespace et::studio {

/// An example query.
struct SqlExample {
    const char* title;  ///< untranslated
    const char* sql;
};

inline constexpr std::array sqlExamples{
    SqlExample{"Slowest events",
               "SELECT coalesce(title, name) AS title, p50, name, kind, instruction, event\n"
               "FROM events\nWHERE samples > 0\n"
               "ORDER BY self DESC\nLIMIT 50"},
    SqlExample{
        "Time by operator type",
        "SELECT op_types, count(*) AS events, sum(self) AS time\nFROM events\nWHERE op_types IS NOT NULL\n"
        "GROUP BY op_types\nORDER BY time DESC"},
    SqlExample{"Time by module",
               "SELECT module, sum(self) AS time, count(*) AS events\nFROM events\nWHERE module IS "
               "NOT NULL\nGROUP BY module\nORDER BY time DESC"},
    SqlExample{"All runs of the slowest event",
               "SELECT s.run, s.duration\nFROM samples s\nWHERE s.event = (SELECT event FROM events\n  WHERE "
               "kind IN "
               "('operator', 'delegated_operator') ORDER BY p50 DESC LIMIT 1)\nORDER BY s.run"},
    SqlExample{"Largest tensors",
               "SELECT name, role, dtype, shape, bytes, first_step, last_step\nFROM tensors\nORDER "
               "BY bytes DESC\nLIMIT 50"},
    SqlExample{"Live bytes by step",
               "SELECT l.step, i.operator, l.bytes\nFROM live_bytes l\nLEFT JOIN instructions i "
               "ON i.method = l.method AND i.step = l.step\nORDER BY l.method, l.arena, l.step"},
    SqlExample{"Operators by graph",
               "SELECT g.kind, n.operator, count(*) AS nodes\nFROM nodes n JOIN graphs g USING "
               "(graph)\nGROUP BY g.kind, n.operator\nORDER BY nodes DESC"},
    SqlExample{
        "Nodes with their Python lines",
        "SELECT n.name, n.operator, n.module, n.source, h.debug_handle\nFROM nodes n JOIN graphs g USING "
        "(graph)\nLEFT JOIN node_handles h USING (graph, node)\nWHERE g.kind = 'edge'"},
    SqlExample{"Largest errors",
               "SELECT runtime_ops, module, max_abs, snr, own_error, diverges, instruction\nFROM "
               "gap\nORDER BY max_abs DESC\nLIMIT 50"},
    SqlExample{"Files in this session", "SELECT kind, name, bytes FROM files"},
};

}  // namespace et::studio
