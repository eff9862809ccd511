#include "app/python/blocks.h"
#include "app/python/bundles.h"
#include "app/python/gaps.h"
#include "app/python/listening.h"
#include "app/python/loaded_program.h"
#include "app/python/python_kernels.h"
#include "app/python/records.h"
#include "app/python/sessions.h"
#include "app/python/workflows.h"
#include "runtime/core/mapped_ranges.h"

#include <nanobind/nanobind.h>

NB_MODULE(_native, module) {
    // Another process that truncates a mapped file must not crash the interpreter.
    et::core::guardMappedFiles();
    nanobind::set_leak_warnings(false);
    module.doc() = "Internal bindings of the package et_inspect; not for direct use.";
    module.attr("version") = ET_INSPECT_VERSION;
    et::python::bindRecords(module);
    et::python::bindBlocks(module);
    et::python::bindBundles(module);
    et::python::bindGaps(module);
    et::python::bindKernels(module);
    et::python::bindListening(module);
    et::python::bindPrograms(module);
    et::python::bindSessions(module);
    et::python::bindWorkflows(module);
    et::python::bindWorkflowOptions(module);
}
