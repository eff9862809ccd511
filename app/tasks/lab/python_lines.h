#pragma once

#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <string>
#include <string_view>

namespace et::tasks {

/// "model.py:12": the Python line that a node comes from; empty if the record has none.
[[nodiscard]] std::string pythonLine(const etrecord::Node& node);

/// Adds a Python line to an error: that of the first node or quoted value in its message, in a method's graph
/// including branches and loops. A value refers to the node that computes it or, for an input or a constant,
/// to the first one that reads it ("… (read by aten_mm_default, model.py:12)"). Returns the error unchanged
/// if it names none, or already has the line.
[[nodiscard]] core::Error withPythonLine(core::Error error, const etrecord::Record& record,
                                         std::string_view method);

}  // namespace et::tasks
