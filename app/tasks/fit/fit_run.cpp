#include "app/tasks/fit/fit_run.h"

#include "backends/builtin.h"
#include "inspector/fit/binary_names.h"
#include "inspector/fit/settings_text.h"
#include "runtime/kernels/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::Result;
using TensorDataFile = std::shared_ptr<const program::TensorData>;

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
    for (const executor::Backend* const backend : backends::builtin()) {
        names.emplace(backend->name());
    }
    return names;
}

}  // namespace

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
    std::vector<TensorDataFile> data;
    for (const fs::path& path : files.data) {
        ET_ASSIGN(TensorDataFile opened, program::TensorData::open(path));
        data.push_back(std::move(opened));
    }
    inspector::KernelList kernels = ownKernels();
    if (!files.runtime.empty()) {
        ET_ASSIGN(kernels, readRuntime(files.runtime, backendsOf(programs)));
    }
    ET_ASSIGN(const std::optional<inspector::Target> target, openTarget(files.target));
    inspector::FitAgainst against{
        .kernels = &kernels, .target = target ? &*target : nullptr, .tensorData = data};
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
