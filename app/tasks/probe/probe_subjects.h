#pragma once

#include "app/tasks/lab/lower_run.h"
#include "app/tasks/model/model_options.h"
#include "app/tasks/probe/probe_axis.h"
#include "app/tasks/probe/probe_graph.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// The delegates to probe.
struct ProbeChoice {
    std::filesystem::path model;
    std::filesystem::path record;
    ModelOptions options{};                 ///< method, inputs, data
    std::vector<std::string> only{};        ///< nodes, operators or modules; empty: all
    std::optional<std::size_t> delegate{};  ///< index; nothing: all
};

/// An operator with certain shapes and arguments, or all operators of a delegate call.
struct ProbeSubject {
    std::string name;                ///< "aten.convolution.default", "delegate 0"
    std::string kind;                ///< equal for operators that only differ in their sizes
    std::vector<std::string> nodes;  ///< Edge nodes with this operator, shapes and arguments
    bool isWhole = false;            ///< a delegate call
    ProbeGraph graph;
};

struct ProbeSubjects {
    std::vector<ProbeSubject> subjects;
    LowerBackend backend = LowerBackend::None;  ///< that of the delegates, if programs can be lowered to it
    std::string device;                ///< "QnnBackend": backend of the delegates; empty: there are none
    std::vector<std::string> omitted;  ///< "aten.index_put.default: it changes state"
};

/// Runs the record's graph on the model's inputs, and collects the operators of its delegates; of a program
/// without delegates all operators. Without inputs, random ones are used. Errors: those of the files;
/// InvalidArgument (no such delegate, the record belongs to another program), NotFound (no node has a name of
/// `only`), those of Interpreter::run().
[[nodiscard]] core::Result<ProbeSubjects> probeSubjects(const ProbeChoice& choice);

}  // namespace et::tasks
