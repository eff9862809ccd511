#pragma once

#include <nanobind/nanobind.h>

namespace et::python {

/// Binds functions that read files without running models, with the output of the command line: memory plans,
/// delegates, graphs, differences of programs; and charts.
void bindWorkflows(nanobind::module_& module);
/// Binds the options of workflows that run models.
void bindWorkflowOptions(nanobind::module_& module);

}  // namespace et::python
