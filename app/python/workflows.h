#pragma once

#include <nanobind/nanobind.h>

namespace et::python {

/// What reads files without running anything, as the command line shows it: memory plans, delegates, graphs,
/// differences of programs; and pictures of figures.
void bindWorkflows(nanobind::module_& module);

}  // namespace et::python
