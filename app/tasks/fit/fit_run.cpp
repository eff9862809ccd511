#include "app/tasks/fit/fit_run.h"

#include "app/tasks/model/inputs.h"
#include "backends/interpreted/runnable.h"
#include "inspector/external_data/data_check.h"
#include "inspector/fit/binary_names.h"
#include "inspector/fit/settings_text.h"
#include "runtime/executor/module_data.h"
#include "runtime/kernels/builtin.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::Result;

constexpr std::size_t stackBytes = std::size_t{8} << 20U;
constexpr std::byte paint{0xa5};

/// Memory for a stack, filled with a pattern to detect its use.
class PaintedStack {
  public:
    PaintedStack() {
        void* const mapped = ::mmap(nullptr, stackBytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
        start = mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped);
        if (start != nullptr) {
            std::fill_n(start, stackBytes, paint);
        }
    }
    ~PaintedStack() {
        if (start != nullptr) {
            ::munmap(start, stackBytes);
        }
    }
    PaintedStack(const PaintedStack&) = delete;
    PaintedStack& operator=(const PaintedStack&) = delete;

    [[nodiscard]] std::byte* data() const { return start; }
    /// Number of bytes below `top` that were written. Stacks grow downwards.
    [[nodiscard]] std::uint64_t usedBelow(const std::byte* top) const {
        const std::byte* const deepest =
            std::find_if(start, start + stackBytes, [](std::byte each) { return each != paint; });
        return deepest < top ? static_cast<std::uint64_t>(top - deepest) : 0;
    }

  private:
    std::byte* start = nullptr;
};

/// A function, with the stack pointer at its start.
struct Call {
    const std::function<void()>& work;
    const std::byte* top = nullptr;
};

void* runCall(void* given) {
    auto& call = *static_cast<Call*>(given);
    call.top = static_cast<const std::byte*>(__builtin_frame_address(0));
    call.work();
    return nullptr;
}

Result<InputSet> inputsFor(const ProgramFile& file, const program::Method& method) {
    if (file.bundle != nullptr) {
        if (auto bundled = bundledInputs(*file.bundle, method.name, 0)) {
            return bundled;
        }
    }
    constexpr std::uint64_t mostBytes = std::uint64_t{2} << 30U;
    return randomInputs(method, 0, mostBytes);
}

/// Loads the method and runs it once.
Result<executor::MemoryReport> runOnce(executor::Module& module, std::string_view method,
                                       const InputSet& inputs) {
    ET_ASSIGN(executor::Method* const loaded, module.load(method));
    ET_TRY(inputs.give(*loaded));
    ET_TRY(loaded->execute());
    return loaded->memory();
}

std::string_view viewOf(core::Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Result<std::vector<ProgramFile>> openPrograms(const std::vector<fs::path>& models) {
    std::vector<ProgramFile> out;
    for (const fs::path& path : models) {
        ET_ASSIGN(ProgramFile opened, ProgramFile::open(path));
        out.push_back(std::move(opened));
    }
    return out;
}

/// All backends used by the programs.
std::vector<std::string> backendsOf(const std::vector<ProgramFile>& programs) {
    std::set<std::string> names;
    for (const ProgramFile& each : programs) {
        for (const program::Method& method : each.program->methods) {
            for (const program::Delegate& delegate : method.delegates) {
                names.emplace(delegate.backend);
            }
        }
    }
    return {names.begin(), names.end()};
}

/// True if a text is YAML or JSON, by its file name or the start of its first non-empty line.
bool isSettings(const fs::path& path, std::string_view text) {
    const fs::path extension = path.extension();
    if (extension == ".yaml" || extension == ".yml" || extension == ".json") {
        return true;
    }
    if (extension == ".txt") {
        return false;
    }
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
        if (!line.empty() && line.front() != '#') {
            const bool isKey = line.contains(": ") || line.ends_with(':') || line.ends_with(":\r");
            return line.front() == '{' || line.front() == '[' || line.starts_with("- ") ||
                   line.starts_with("---") || (isKey && !line.contains("::"));
        }
    }
    return false;
}

Result<std::optional<inspector::Target>> openTarget(const fs::path& path) {
    if (path.empty()) {
        return std::nullopt;
    }
    ET_ASSIGN(const auto file, core::MappedFile::open(path, inspector::maxSettingsBytes));
    ET_ASSIGN(inspector::Target target, inspector::readTarget(viewOf(file->bytes()), path.string()));
    if (target.name.empty()) {
        target.name = path.string();
    }
    return target;
}

std::set<std::string> ownBackends() {
    std::set<std::string> names;
    for (const executor::Backend* const backend : backends::runnable()) {
        names.emplace(backend->name());
    }
    return names;
}

/// Adds the delegates of the method that their backend here rejects, which also happens on a device. Backends
/// that are not here and missing data are reported by the other checks.
void checkDelegates(const program::Program& program, const program::Method& method,
                    std::span<const std::shared_ptr<const program::TensorData>> tensorData,
                    inspector::MethodFit& fit) {
    const kernels::ThreadPool threads(1);
    const executor::ModuleData named(program, tensorData);
    std::map<const executor::Backend*, std::shared_ptr<executor::SharedState>> shared;
    for (std::size_t i = 0; i < method.delegates.size(); ++i) {
        const program::Delegate& delegate = method.delegates[i];
        const auto available = backends::runnable();
        const auto backend = std::ranges::find(available, delegate.backend, &executor::Backend::name);
        if (backend == available.end()) {
            continue;
        }
        const auto loaded = (*backend)->load({.delegate = delegate,
                                              .method = method.name,
                                              .namedData = named,
                                              .threads = threads,
                                              .shared = &shared[*backend]});
        if (!loaded && loaded.error().code != core::ErrorCode::NotFound) {
            const std::string& field = loaded.error().where.field;
            fit.problems.push_back(
                {.part = inspector::FitPart::Backend,
                 .subject = std::string(delegate.backend),
                 .what = fmt::format("delegates[{}]: {}{}{}", i, field, field.empty() ? "" : ": ",
                                     loaded.error().message),
                 .remedy = "export again, with operators and quantization that the backend accepts"});
        }
    }
}

/// Adds contradictions between a program and its weight files, apart from those found for each tensor.
void checkWeightFiles(const FitFiles& files,
                      std::span<const std::shared_ptr<const program::TensorData>> tensorData,
                      const etrecord::Record* record, const program::Program& program, ProgramFit& fit) {
    std::vector<inspector::DataFile> data;
    for (std::size_t i = 0; i < tensorData.size(); ++i) {
        data.push_back({.path = files.data[i], .data = tensorData[i]});
    }
    const inspector::DataQuestion question{.program = program,
                                           .programPath = fit.file,
                                           .files = data,
                                           .record = record,
                                           .recordPath = files.record,
                                           .isOnlyProgram = files.models.size() == 1};
    const inspector::DataCheck check = inspector::checkData(question);
    const bool isKnown = std::ranges::any_of(fit.methods, [](const inspector::MethodFit& method) {
        return std::ranges::contains(method.problems, inspector::FitPart::Data, &inspector::FitProblem::part);
    });
    if (fit.methods.empty() || isKnown) {
        return;
    }
    inspector::MethodFit& first = fit.methods.front();
    for (const std::string& each : check.contradictions) {
        first.problems.push_back({.part = inspector::FitPart::Data,
                                  .subject = "weight files",
                                  .what = each,
                                  .remedy = "give the file that was exported with the program (--data)"});
    }
    if (!tensorData.empty() && check.verdict == inspector::DataVerdict::Unverified) {
        first.notes.push_back(summary(check, question));
    }
}

}  // namespace

Result<std::uint64_t> stackOf(const std::function<void()>& work) {
    const PaintedStack stack;
    pthread_attr_t attributes;
    if (stack.data() == nullptr || ::pthread_attr_init(&attributes) != 0) {
        return core::fail(core::ErrorCode::Limit, "out of memory for a stack");
    }
    pthread_t thread{};
    Call call{.work = work};
    const bool started = ::pthread_attr_setstack(&attributes, stack.data(), stackBytes) == 0 &&
                         ::pthread_create(&thread, &attributes, runCall, &call) == 0;
    ::pthread_attr_destroy(&attributes);
    if (!started) {
        return core::fail(core::ErrorCode::Limit, "cannot start a thread");
    }
    ::pthread_join(thread, nullptr);
    return stack.usedBelow(call.top);
}

Result<MeasuredNeed> measureNeed(const ProgramFile& file, std::string_view method,
                                 std::span<const std::shared_ptr<const program::TensorData>> tensorData) {
    const program::Method* const described = file.program->findMethod(method);
    if (described == nullptr) {
        return core::fail(core::ErrorCode::NotFound, "no such method");
    }
    ET_ASSIGN(const InputSet inputs, inputsFor(file, *described));
    const kernels::ThreadPool threads(1);
    executor::Module module(file.program, {.kernels = kernels::builtin(),
                                           .backends = backends::runnable(),
                                           .tensorData = tensorData,
                                           .threads = threads});
    Result<executor::MemoryReport> memory = executor::MemoryReport();
    ET_ASSIGN(const std::uint64_t stack, stackOf([&] { memory = runOnce(module, method, inputs); }));
    if (!memory) {
        return std::unexpected(std::move(memory).error());
    }
    return MeasuredNeed{.memory = std::move(*memory), .stack = stack};
}

bool ProgramFit::fits() const {
    return std::ranges::all_of(methods, &inspector::MethodFit::fits);
}

bool FitResult::fits() const {
    return std::ranges::all_of(programs, &ProgramFit::fits);
}

inspector::KernelList ownKernels() {
    inspector::KernelList out{.listsDtypes = true, .kind = "et-inspect's own runtime"};
    for (const kernels::KernelEntry* const entry : kernels::builtin().all()) {
        out.add(entry->name, {.anyDtype = true});
    }
    return out;
}

Result<inspector::KernelList> readRuntime(const fs::path& path, const std::vector<std::string>& backends) {
    ET_ASSIGN(const auto file, core::MappedFile::open(path));
    if (inspector::isBinary(file->bytes())) {
        ET_ASSIGN(const inspector::BinaryNames names, inspector::readBinaryNames(*file, backends));
        return inspector::collectKernels(names);
    }
    const std::string_view text = viewOf(file->bytes());
    if (text.size() > inspector::maxSettingsBytes || text.contains('\0')) {
        return core::fail(
            core::ErrorCode::Format,
            "expected a list of operators, YAML of a selective build, an ELF file or an archive, got none",
            {.file = path.string(), .field = {}, .offset = {}});
    }
    return isSettings(path, text) ? inspector::readKernelSettings(text, path.string())
                                  : inspector::readKernelText(text, path.string());
}

Result<FitResult> checkFit(const FitFiles& files) {
    ET_ASSIGN(const std::vector<ProgramFile> programs, openPrograms(files.models));
    ET_ASSIGN(const auto data, openTensorData(files.data));
    ET_ASSIGN(const auto record, openRecord(files.record));
    inspector::KernelList kernels = ownKernels();
    if (!files.runtime.empty()) {
        ET_ASSIGN(kernels, readRuntime(files.runtime, backendsOf(programs)));
    }
    ET_ASSIGN(const std::optional<inspector::Target> target, openTarget(files.target));
    inspector::FitAgainst against{.kernels = &kernels,
                                  .target = target ? &*target : nullptr,
                                  .tensorData = data,
                                  .caches = files.caches};
    FitResult out{.runtime = files.runtime.empty()
                                 ? kernels.kind
                                 : fmt::format("{} ({})", files.runtime.string(), kernels.kind),
                  .target = target ? target->name : std::string(),
                  .programs = {}};
    if (files.runtime.empty()) {
        against.backends = ownBackends();
    }
    for (std::size_t i = 0; i < programs.size(); ++i) {
        const program::Program& program = *programs[i].program;
        out.programs.push_back({.file = files.models[i].string(),
                                .flash = inspector::computeFlash(program),
                                .methods = inspector::fitOf(program, against)});
        checkWeightFiles(files, data, record.get(), program, out.programs.back());
        for (std::size_t method = 0; method < program.methods.size(); ++method) {
            checkDelegates(program, program.methods[method], data, out.programs.back().methods[method]);
        }
        if (files.measure) {
            for (const program::Method& method : program.methods) {
                out.programs.back().measured.push_back(measureNeed(programs[i], method.name, data));
            }
        }
    }
    return out;
}

Result<OperatorList> listOperators(const std::vector<fs::path>& models,
                                   const inspector::OplistOptions& options) {
    ET_ASSIGN(const std::vector<ProgramFile> programs, openPrograms(models));
    std::vector<inspector::NamedProgram> named;
    for (std::size_t i = 0; i < programs.size(); ++i) {
        named.push_back({.program = programs[i].program.get(), .name = models[i].filename().string()});
    }
    const auto operators = inspector::operatorList(named);
    OperatorList out{.yaml = inspector::oplistYaml(operators, options), .operators = operators.size()};
    for (const auto& [name, listed] : operators) {
        out.keys += listed.keys.size();
    }
    return out;
}

}  // namespace et::tasks
