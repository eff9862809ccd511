#pragma once

#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <string>
#include <string_view>

namespace et::app {

/// "model.py:12": the line of Python that a node comes from; empty where the record has none.
[[nodiscard]] std::string pythonLine(const etrecord::Node& node);

/// The error with the line of Python of what its message names first of a method's graph, those of branches
/// and loops included: a node, or a value in quotes, which stands for the node that makes it or, of an input
/// or a constant, that reads it first ("… (read by aten_mm_default, model.py:12)"). As it is where it names
/// none, or has the line already.
[[nodiscard]] core::Error withPythonLine(core::Error error, const etrecord::Record& record,
                                         std::string_view method);

}  // namespace et::app
