#include "app/tasks/model/model.h"

#include "app/devices/device.h"
#include "app/devices/keep_rule.h"
#include "app/devices/target_file.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/model/neighbour_data.h"
#include "app/tasks/model/recorded_inputs.h"
#include "app/tasks/sanitize/sanitizer.h"
#include "backends/interpreted/runnable.h"
#include "inspector/external_data/data_check.h"
#include "runtime/kernels/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;

/// Backends included in et-inspect.
std::vector<const executor::Backend*> builtinBackends() {
    return {backends::runnable().begin(), backends::runnable().end()};
}

/// Removes the named backends from the list.
Result<> leaveOut(std::vector<const executor::Backend*>& backends, const std::vector<std::string>& names) {
    std::string known;
    for (const executor::Backend* each : backends) {
        known += fmt::format("{}{}", known.empty() ? "" : ", ", each->name());
    }
    for (const std::string& name : names) {
        const bool isThere = std::ranges::contains(
            backends, name, [](const executor::Backend* each) { return std::string(each->name()); });
        if (!isThere) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("--backend-off: no backend \"{}\"; available: {}", name,
                                    known.empty() ? "none" : known));
        }
    }
    std::erase_if(backends, [&](const executor::Backend* each) {
        return std::ranges::contains(names, std::string(each->name()));
    });
    return {};
}

/// One-time initialization of the process, which is not part of loading times.
void prepareProcess() {
    static_cast<void>(kernels::builtin());
    for (const executor::Backend* each : backends::runnable()) {
        each->prepareProcess();
    }
}

Result<> openPlugins(Model& model, const std::vector<fs::path>& paths) {
    model.kernels = kernels::builtin();
    model.backends = builtinBackends();
    for (const fs::path& path : paths) {
        ET_ASSIGN(executor::Plugin plugin, executor::Plugin::load(path));
        model.kernels.add(plugin.kernels());
        model.backends.insert(model.backends.begin(), plugin.backends().begin(), plugin.backends().end());
        model.plugins.push_back(std::move(plugin));
    }
    return {};
}

Result<std::string> methodName(const program::Program& program, const std::string& asked) {
    constexpr const char* usual = "forward";
    std::string known;
    for (const program::Method& method : program.methods) {
        known += fmt::format("{}{}", known.empty() ? "" : ", ", method.name);
    }
    if (asked.empty() && program.methods.size() == 1) {
        return std::string(program.methods.front().name);
    }
    std::string name = asked.empty() ? usual : asked;
    if (program.findMethod(name) == nullptr) {
        return fail(ErrorCode::NotFound,
                    asked.empty() ? fmt::format("choose a method with --method; available: {}", known)
                                  : fmt::format("no method \"{}\"; available: {}", asked, known),
                    {.file = program.file->name(), .field = {}, .offset = {}});
    }
    return name;
}

executor::Limits limitsOf(const ModelOptions& options) {
    executor::Limits limits;
    limits.memoryBytes = options.memoryBytes.value_or(limits.memoryBytes);
    limits.temporaryBytes = std::min(limits.temporaryBytes, limits.memoryBytes);
    limits.instructions = options.instructions.value_or(limits.instructions);
    return limits;
}

/// Rejects options that a remote executor does not support.
Result<> rejectRemote(const ModelOptions& options) {
    if (!options.on.isRemote()) {
        return options.on.keepIf.empty() && options.on.deviceLog.empty()
                   ? Result<>()
                   : fail(ErrorCode::InvalidArgument, "--keep-if and --device-log need --on TARGET");
    }
    if (options.caches != core::KvCacheSettings()) {
        return fail(
            ErrorCode::InvalidArgument,
            "--kv-max-capacity, --kv-windows and --kv-storage-dtype cannot be used with --on: devices use "
            "the defaults");
    }
    if (options.xnnpack != backends::xnnpack::LoadOptions()) {
        return fail(ErrorCode::InvalidArgument,
                    "--workspace-sharing-mode and --weight-cache cannot be used with --on: devices use the "
                    "defaults");
    }
    if (options.sanitize) {
        return fail(
            ErrorCode::InvalidArgument,
            "--sanitize cannot be used with --on: it protects the memory of this process, and agents do "
            "not load plugins");
    }
    if (!options.plugins.empty() || options.emulate) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("{} cannot be used with --on: devices run what their agent contains",
                                options.emulate ? "--emulate" : "--plugin"));
    }
    return {};
}

Result<std::shared_ptr<devices::Device>> deviceOf(const ModelOptions& options,
                                                  const std::atomic<bool>* cancel) {
    ET_ASSIGN(const devices::Target target, devices::findTarget(options.on.target));
    ET_ASSIGN(const wire::KeepRule keep, devices::parseKeepRule(options.on.keepIf, options.on.keepLast));
    return devices::openDevice(target, {.backendsOff = options.backendsOff,
                                        .keep = keep,
                                        .logFile = options.on.deviceLog,
                                        .cancel = cancel});
}

/// A model with the files that the options name.
Result<std::unique_ptr<Model>> prepareGiven(std::shared_ptr<const core::MappedFile> file,
                                            const ModelOptions& options) {
    const fs::path path = file->name();
    auto model = std::make_unique<Model>();
    model->threads = kernels::ThreadPool(options.threads);
    model->limits = limitsOf(options);
    model->caches = options.caches;
    model->backendOptions = options.xnnpack.all();
    model->seed = options.seed;
    ET_TRY(rejectRemote(options));
    ET_TRY(openPlugins(*model, options.plugins));
    ET_TRY(leaveOut(model->backends, options.backendsOff));
    ET_ASSIGN(ProgramFile opened, ProgramFile::parse(std::move(file)));
    model->bundle = std::move(opened.bundle);
    model->program = std::move(opened.program);
    model->ownRecord = std::move(opened.record);
    if (!options.cases.empty()) {
        ET_ASSIGN(model->bundle, bundled_program::Bundle::open(options.cases));
    }
    if (options.on.isRemote()) {
        ET_ASSIGN(model->device, deviceOf(options, model->cancel));
    } else {
        ET_ASSIGN(model->emulation,
                  makeEmulation(path, options, model->program, model->backends, model->kernels));
    }
    if (options.sanitize) {
        auto record = model->ownRecord;
        if (!options.record.empty()) {
            ET_ASSIGN(record, etrecord::Record::open(options.record));
        }
        model->sanitizer = std::make_shared<Sanitizer>(model->program, std::move(record));
    }
    for (const auto& each : model->emulation.backends) {
        model->backends.insert(model->backends.begin(), each.get());  // replaces one that lacks operators
    }
    ET_ASSIGN(model->tensorData, openTensorData(options.tensorData));
    return model;
}

/// Adds the tensor data next to the program unless the options name some, and checks that it belongs to the
/// program. Errors: Mismatch.
Result<> addFoundData(Model& model, const fs::path& path, const ModelOptions& options) {
    std::vector<inspector::DataFile> files;
    for (std::size_t i = 0; i < options.tensorData.size(); ++i) {
        files.push_back({.path = options.tensorData[i], .data = model.tensorData[i]});
    }
    if (options.tensorData.empty()) {
        ET_ASSIGN(std::vector<NeighbourData> found, findTensorData(*model.program, path));
        for (NeighbourData& each : found) {
            files.push_back({.path = each.path, .data = each.data});
            model.tensorData.push_back(std::move(each.data));
            model.foundData.push_back(std::move(each.path));
        }
    }
    if (files.empty()) {
        return {};
    }
    std::shared_ptr<const etrecord::Record> record = model.emulation.record;
    if (record == nullptr && !options.record.empty()) {
        record = etrecord::Record::open(options.record).value_or(nullptr);
    }
    const inspector::DataCheck check =
        inspector::checkData({.program = *model.program,
                              .programPath = path,
                              .files = files,
                              .record = record.get(),
                              .recordPath = record == nullptr ? "" : record->file().name(),
                              .contentBytes = record == nullptr ? 0 : UINT64_MAX});
    return check.contradictions.empty() ? Result<>()
                                        : fail(ErrorCode::Mismatch, check.contradictions.front());
}

}  // namespace

core::Error errorOfProgram(core::Error error, const program::Program& program) {
    if (error.code == ErrorCode::InvalidArgument || error.code == ErrorCode::NotFound ||
        error.code == ErrorCode::Mismatch) {
        error.code = ErrorCode::Unsupported;
    }
    return std::move(error).in(program.file->name());
}

std::vector<fs::path> Model::files(const fs::path& path, const ModelOptions& options) {
    std::vector<fs::path> all{path};
    all.insert(all.end(), options.tensorData.begin(), options.tensorData.end());
    all.insert(all.end(), options.plugins.begin(), options.plugins.end());
    all.insert(all.end(), options.inputs.begin(), options.inputs.end());
    for (const fs::path& each : {options.record, options.cases}) {
        if (!each.empty()) {
            all.push_back(each);
        }
    }
    return all;
}

Result<std::unique_ptr<Model>> Model::prepare(const fs::path& path, const ModelOptions& options) {
    ET_ASSIGN(auto file, core::MappedFile::open(path));
    return prepare(std::move(file), options);
}

Result<std::unique_ptr<Model>> Model::prepare(std::shared_ptr<const core::MappedFile> file,
                                              const ModelOptions& options) {
    const fs::path path = file->name();
    ET_ASSIGN(auto model, prepareGiven(std::move(file), options));
    ET_TRY(addFoundData(*model, path, options));
    return model;
}

executor::Module Model::newModule(core::EventTracer* tracer) const {
    return newModule(program, tracer);
}

executor::Module Model::newModule(std::shared_ptr<const program::Program> other,
                                  core::EventTracer* tracer) const {
    return executor::Module(std::move(other), executor::Environment{.kernels = kernels,
                                                                    .backends = backends,
                                                                    .tensorData = tensorData,
                                                                    .threads = threads,
                                                                    .limits = limits,
                                                                    .caches = caches,
                                                                    .seed = seed,
                                                                    .tracer = tracer,
                                                                    .cancel = cancel,
                                                                    .elsewhere = device.get(),
                                                                    .guard = sanitizer.get(),
                                                                    .backendOptions = backendOptions});
}

Result<std::unique_ptr<Model>> Model::open(const fs::path& path, const ModelOptions& options,
                                           core::EventTracer* tracer) {
    prepareProcess();
    const std::uint64_t start = core::EventTracer::now();
    ET_ASSIGN(auto file, core::MappedFile::open(path));
    ET_ASSIGN(auto model, prepareGiven(std::move(file), options));
    // Not part of the load time: on a device, the program is given its files.
    const std::uint64_t searchStart = core::EventTracer::now();
    ET_TRY(addFoundData(*model, path, options));
    const std::uint64_t searchTime = core::EventTracer::now() - searchStart;
    ET_ASSIGN(const std::string name, methodName(*model->program, options.method));
    model->module.emplace(model->newModule(tracer));
    auto loaded = model->module->load(name);
    if (!loaded) {
        return std::unexpected(errorOfProgram(std::move(loaded).error(), *model->program));
    }
    model->method = *loaded;
    const auto elsewhere = model->method->remoteLoadTimes();
    model->loadNanoseconds =
        elsewhere ? elsewhere->nanoseconds : core::EventTracer::now() - start - searchTime;
    return model;
}

Result<InputSet> Model::givenInputs(const program::Method& called, const ModelOptions& options) const {
    if (options.inputs.size() == 1 && requestsRecorded(options.inputs.front())) {
        return recordedInputs(options.record, called.name, limits.memoryBytes);
    }
    return makeInputs(called, options.inputs, options.seed, limits.memoryBytes);
}

Result<InputSet> Model::inputs(const ModelOptions& options,
                               const std::function<void(std::string_view)>& note) const {
    const program::Method& description = method->description();
    if (options.testCase && !bundle) {
        return fail(ErrorCode::InvalidArgument, "--case needs a bundled program (.bpte)");
    }
    if (options.testCase && !options.inputs.empty()) {
        return fail(ErrorCode::InvalidArgument, "--case and --input exclude each other");
    }
    if (options.inputs.empty() && bundle) {
        auto inputs = bundledInputs(*bundle, description.name, options.testCase.value_or(0));
        if (!inputs && !options.testCase) {
            inputs.error().code = ErrorCode::Format;  // no specific case was requested
        }
        return inputs;
    }
    if (options.inputs.empty()) {
        if (!description.inputs.empty()) {
            note(fmt::format("no --input: the inputs are random (--seed {})", options.seed));
        }
        return randomInputs(description, options.seed, limits.memoryBytes);
    }
    return givenInputs(description, options);
}

Result<std::uint64_t> Model::execute(const InputSet& inputs) {
    ET_TRY(inputs.give(*method));
    const std::uint64_t start = core::EventTracer::now();
    auto done = method->execute();
    const std::uint64_t time = core::EventTracer::now() - start;
    if (!done) {
        return std::unexpected(errorOfProgram(std::move(done).error(), *program));
    }
    const auto elsewhere = method->remoteExecutionTimes();
    return elsewhere ? elsewhere->nanoseconds : time;
}

Result<const program::Method*> chooseMethod(const program::Program& program, const std::string& asked) {
    return methodName(program, asked).transform([&](const std::string& name) {
        return program.findMethod(name);
    });
}

}  // namespace et::tasks
