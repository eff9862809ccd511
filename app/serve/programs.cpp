#include "app/serve/failure.h"
#include "app/serve/functions.h"
#include "app/serve/given_inputs.h"
#include "app/serve/loaded_program.h"
#include "app/serve/method_values.h"
#include "app/serve/option_words.h"
#include "app/serve/program_description.h"
#include "app/serve/sources.h"
#include "app/serve/tensors.h"
#include "backends/interpreted/runnable.h"
#include "runtime/kernels/builtin.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::serve {
namespace {

using ProgramPointer = std::shared_ptr<LoadedProgram>;
using MethodPointer = std::shared_ptr<LoadedMethod>;

/// Converts arguments of Runtime.load_program().
tasks::ModelOptions modelOptions(Dict& asked) {
    tasks::ModelOptions out;
    out.tensorData = entry<std::vector<std::filesystem::path>>(asked, "data");
    out.plugins = entry<std::vector<std::filesystem::path>>(asked, "plugins");
    out.backendsOff = entry<std::vector<std::string>>(asked, "backends_off");
    out.record = entry<std::filesystem::path>(asked, "record");
    out.threads = entry<std::size_t>(asked, "threads");
    out.seed = entry<std::uint64_t>(asked, "seed");
    out.memoryBytes = entry<std::optional<std::uint64_t>>(asked, "memory_bytes");
    out.instructions = entry<std::optional<std::uint64_t>>(asked, "instructions");
    return out;
}

ProgramPointer openProgram(Value source, Dict asked, bool etdump, std::uint64_t debugBytes,
                           std::optional<double> timeoutSeconds) {
    const tasks::ModelOptions options = modelOptions(asked);
    auto opened = LoadedProgram::open(contents(source), options, etdump, debugBytes);
    if (!opened) {
        raise(toPythonNames(std::move(opened).error()));
    }
    (*opened)->timeoutSeconds = timeoutSeconds;
    return *std::move(opened);
}

MethodPointer loadMethod(const ProgramPointer& program, const std::string& name) {
    auto loaded = std::make_shared<LoadedMethod>(program);
    const ExclusiveRun turn(*program);
    program->run(std::nullopt, [&]() -> core::Result<> {
        auto found = program->model->module->load(name);
        if (!found) {
            return std::unexpected(
                toPythonNames(tasks::errorOfProgram(std::move(found).error(), *program->model->program)));
        }
        loaded->method = *found;
        return {};
    });
    return loaded;
}

List outputs(executor::Method& method) {
    List out;
    for (std::size_t i = 0; i < method.outputCount(); ++i) {
        out.push_back(methodValue(method.output(i)));
    }
    return out;
}

List execute(const LoadedMethod& self, List inputs) {
    const program::Method& description = self.method->description();
    const GivenInputs given(description, description.inputs, "inputs", std::move(inputs));
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

/// Returns the trace and the debug buffer of everything that ran.
Value recorded(LoadedProgram& self) {
    if (self.recorder == nullptr) {
        raise({.code = core::ErrorCode::InvalidArgument,
               .message = "the program was loaded without enable_etdump"});
    }
    const ExclusiveRun turn(self);
    std::vector<std::byte> trace = unwrap(self.recorder->trace());
    const core::Bytes buffer = self.recorder->debugBuffer();
    return tupleOf(std::move(trace), std::vector<std::byte>(buffer.begin(), buffer.end()));
}

Dict memoryOf(LoadedMethod& self) {
    const ExclusiveRun turn(*self.program);
    const executor::MemoryReport report = self.method->memory();
    Dict out;
    out["arenas"] = valueOf(report.arenas);
    out["constants"] = report.constants;
    out["copied_constants"] = report.copiedConstants;
    out["unplanned_io"] = report.unplannedIo;
    out["growing"] = report.growing;
    out["temporary_peak"] = report.temporaryPeak;
    out["packed_weights"] = report.packedWeights;
    out["workspace"] = report.workspace;
    return out;
}

List methodNames(const LoadedProgram& self) {
    return collected(self.model->program->methods,
                     [](const program::Method& method) { return text(method.name); });
}

Dict describeMethod(const LoadedProgram& self, const std::string& name) {
    const program::Program& program = *self.model->program;
    return describeMethodValues(*unwrap(tasks::chooseMethod(program, name)));
}

List backendNames() {
    return collected(backends::runnable(),
                     [](const executor::Backend* const each) { return text(each->name()); });
}

List operatorNames() {
    return collected(kernels::builtin().all(),
                     [](const kernels::KernelEntry* const each) { return text(each->name); });
}

/// The current value of a mutable buffer, by its qualified name.
Value attributeOf(const LoadedMethod& self, const std::string& name) {
    const ExclusiveRun exclusive(*self.program);
    const program::Method& method = self.method->description();
    for (std::uint32_t i = 0; i < method.values.size(); ++i) {
        const auto* const info = method.values[i].as<program::TensorInfo>();
        if (info != nullptr && info->allocation && info->name == name && !name.empty()) {
            return methodValue(self.method->value(program::ValueId(i)));
        }
    }
    raise({.code = core::ErrorCode::NotFound,
           .message = fmt::format("method \"{}\" has no attribute \"{}\"", core::printable(method.name),
                                  core::printable(name))});
}

constexpr std::array programTable{
    function<&backendNames>("backend_names"),
    function<&operatorNames>("operator_names"),
    function<&openProgram>("Program.open"),
    function<&methodNames>("Program.method_names"),
    function<[](const LoadedProgram& self) { return text(self.model->emulation.note()); }>(
        "Program.emulation_note"),
    function<&describeMethod>("Program.facts"),
    function<&loadMethod>("Program.load_method"),
    function<&recorded>("Program.recorded"),
    function<&execute>("Method.execute"),
    function<&memoryOf>("Method.memory"),
    function<&attributeOf>("Method.attribute"),
    function<[](const LoadedMethod& self) { return text(self.method->description().name); }>("Method.name"),
};

}  // namespace

std::span<const Function> programFunctions() {
    return programTable;
}

}  // namespace et::serve
