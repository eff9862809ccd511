#include "app/python/cells.h"
#include "app/python/errors.h"
#include "app/python/given_inputs.h"
#include "app/python/loaded_program.h"
#include "app/python/method_values.h"
#include "app/python/name.h"
#include "app/python/option_words.h"
#include "app/python/program_description.h"
#include "app/python/sources.h"
#include "app/python/tensors.h"
#include "backends/builtin.h"
#include "runtime/kernels/builtin.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::python {
namespace {

namespace nb = nanobind;
using nb::literals::operator""_a;
using ProgramPointer = std::shared_ptr<LoadedProgram>;
using MethodPointer = std::shared_ptr<LoadedMethod>;

/// Arguments of Runtime.load_program() other than the program.
struct OpenRequest {
    std::vector<std::filesystem::path> data;
    std::vector<std::filesystem::path> plugins;
    std::vector<std::string> backendsOff;
    std::filesystem::path record;  ///< empty: none
    std::size_t threads = 1;
    std::uint64_t seed = 0;
    std::optional<std::uint64_t> memoryBytes;
    std::optional<std::uint64_t> instructions;

    [[nodiscard]] tasks::ModelOptions options() const {
        tasks::ModelOptions out;
        out.tensorData = data;
        out.plugins = plugins;
        out.backendsOff = backendsOff;
        out.record = record;
        out.threads = threads;
        out.seed = seed;
        out.memoryBytes = memoryBytes;
        out.instructions = instructions;
        return out;
    }
};

ProgramPointer openProgram(const nb::object& source, const OpenRequest& request, bool etdump,
                           std::uint64_t debugBytes, std::optional<double> timeoutSeconds) {
    std::shared_ptr<const core::MappedFile> file = contents(source);
    auto opened = withoutGil(
        [&] { return LoadedProgram::open(std::move(file), request.options(), etdump, debugBytes); });
    if (!opened) {
        raise(toPythonNames(std::move(opened).error()));
    }
    (*opened)->timeoutSeconds = timeoutSeconds;
    return *std::move(opened);
}

MethodPointer loadMethod(const ProgramPointer& program, const Name& name) {
    auto loaded = std::make_shared<LoadedMethod>(program);
    const ExclusiveRun turn(*program);
    program->run(std::nullopt, [&]() -> core::Result<> {
        auto found = program->model->module->load(name.bytes);
        if (!found) {
            return std::unexpected(
                toPythonNames(tasks::errorOfProgram(std::move(found).error(), *program->model->program)));
        }
        loaded->method = *found;
        return {};
    });
    return loaded;
}

nb::list outputs(executor::Method& method) {
    nb::list out;
    for (std::size_t i = 0; i < method.outputCount(); ++i) {
        out.append(methodValue(method.output(i), [](core::Tensor& tensor) { return copiedArray(tensor); }));
    }
    return out;
}

nb::list execute(const LoadedMethod& self, const nb::handle& inputs) {
    const program::Method& description = self.method->description();
    const GivenInputs given(description, description.inputs, "inputs", inputs);
    LoadedProgram& program = *self.program;
    const ExclusiveRun turn(program);
    program.run(program.timeoutSeconds, [&]() -> core::Result<> {
        ET_TRY(self.method->setInputs(given.values()));
        auto done = self.method->execute();
        if (!done && done.error().code != core::ErrorCode::Cancelled) {
            return std::unexpected(tasks::errorOfProgram(std::move(done).error(), *program.model->program));
        }
        return done;
    });
    return outputs(*self.method);
}

nb::bytes bytesOf(core::Bytes bytes) {
    return nb::bytes(bytes.data(), bytes.size());
}

/// Returns the trace and the debug buffer of everything that ran.
nb::tuple recorded(LoadedProgram& self) {
    if (self.recorder == nullptr) {
        raise({.code = core::ErrorCode::InvalidArgument,
               .message = "the program was loaded without enable_etdump"});
    }
    const ExclusiveRun turn(self);
    const std::vector<std::byte> trace = unwrap(withoutGil([&] { return self.recorder->trace(); }));
    return nb::make_tuple(bytesOf(trace), bytesOf(self.recorder->debugBuffer()));
}

nb::dict memoryOf(LoadedMethod& self) {
    const ExclusiveRun turn(*self.program);
    const executor::MemoryReport report = self.method->memory();
    nb::dict out;
    out["arenas"] = nb::cast(report.arenas);
    out["constants"] = report.constants;
    out["copied_constants"] = report.copiedConstants;
    out["unplanned_io"] = report.unplannedIo;
    out["growing"] = report.growing;
    out["temporary_peak"] = report.temporaryPeak;
    out["packed_weights"] = report.packedWeights;
    out["workspace"] = report.workspace;
    return out;
}

nb::list methodNames(const LoadedProgram& self) {
    return pythonList(self.model->program->methods,
                      [](const program::Method& method) { return text(method.name); });
}

nb::dict describeMethod(const LoadedProgram& self, const Name& name) {
    const program::Program& program = *self.model->program;
    return describeMethodValues(*unwrap(tasks::chooseMethod(program, name.bytes)));
}

nb::list backendNames() {
    return pythonList(backends::builtin(),
                      [](const executor::Backend* const each) { return text(each->name()); });
}

nb::list operatorNames() {
    return pythonList(kernels::builtin().all(),
                      [](const kernels::KernelEntry* const each) { return text(each->name); });
}

}  // namespace

void bindPrograms(nb::module_& module) {
    module.def("backend_names", &backendNames, nb::sig("def backend_names() -> list[str]"),
               "Built-in backends.");
    module.def("operator_names", &operatorNames, nb::sig("def operator_names() -> list[str]"),
               "Operators with a built-in kernel, in the form `aten::add.out`.");
    nb::class_<OpenRequest>(module, "OpenRequest", "Options for loading a program.")
        .def(nb::init<>(), "A request with the defaults.")
        .def_rw("data", &OpenRequest::data, "Paths of external weights.")
        .def_rw("plugins", &OpenRequest::plugins, "Shared libraries with operators or backends.")
        .def_rw("backends_off", &OpenRequest::backendsOff, "Backends to disable.")
        .def_rw("record", &OpenRequest::record, "ETRecord used to emulate delegates; empty: none.")
        .def_rw("threads", &OpenRequest::threads, "Threads of one execution.")
        .def_rw("seed", &OpenRequest::seed, "Seed for operators that draw random numbers.")
        .def_rw("memory_bytes", &OpenRequest::memoryBytes, nb::arg().none(),
                "Maximum bytes of tensors; None: no limit set by the caller.")
        .def_rw("instructions", &OpenRequest::instructions, nb::arg().none(),
                "Maximum number of instructions per execution; None: no limit set by the caller.");
    nb::class_<LoadedProgram>(module, "Program", "A program that is ready to load methods.")
        .def_static("open", &openProgram, "source"_a, "request"_a, "etdump"_a, "debug_bytes"_a,
                    "timeout"_a.none(),
                    "Loads a program: a path, or its bytes.\n\n`etdump`: record all executions, with at most "
                    "`debug_bytes` of values. `timeout`: time limit of one execution in seconds.")
        .def_prop_ro("method_names", &methodNames, nb::sig("def method_names(self) -> list[str]"),
                     "Its methods, in file order.")
        .def_prop_ro(
            "emulation_note", [](const LoadedProgram& self) { return text(self.model->emulation.note()); },
            "Description of the emulated delegates; empty: none.")
        .def("facts", &describeMethod, "method"_a,
             nb::sig("def facts(self, method: str) -> dict[str, object]"),
             "Metadata of a method: its name, memory, and tag, sizes, dtype and bytes of inputs, outputs and "
             "state.")
        .def("load_method", &loadMethod, "name"_a, "Prepares a method to run.")
        .def("recorded", &recorded, nb::sig("def recorded(self) -> tuple[bytes, bytes]"),
             "The trace and the debug buffer of all executions; requires a program loaded with `etdump`.");
    nb::class_<LoadedMethod>(module, "Method", "A method that is ready to run.")
        .def("execute", &execute, "inputs"_a,
             nb::sig("def execute(self, inputs: typing.Sequence[object]) -> list[object]"),
             "Runs the method: an array, tensor, number, string, list or None for each input; outputs are "
             "copies. Ctrl-C stops it.")
        .def("memory", &memoryOf, nb::sig("def memory(self) -> dict[str, object]"),
             "Memory use in bytes: a list of `arenas`, and numbers.")
        .def_prop_ro(
            "name", [](const LoadedMethod& self) { return text(self.method->description().name); },
            "Name in the program.");
}

}  // namespace et::python
