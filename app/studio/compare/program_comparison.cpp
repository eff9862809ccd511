#include "app/studio/compare/program_comparison.h"

#include "app/tasks/base/program_file.h"
#include "backends/builtin.h"
#include "visualizers/toolkit/text.h"

#include <utility>
#include <vector>

namespace et::studio {

namespace {

visualizers::LinksByMethod linksOf(const program::Program& program) {
    visualizers::LinksByMethod links;
    for (const program::Method& method : program.methods) {
        links.emplace(method.name, inspector::stepLinks(method));
    }
    return links;
}

core::Result<ProgramComparison> diffOf(const inspector::Session& a, const std::filesystem::path& b) {
    ET_ASSIGN(const tasks::ProgramFile other, tasks::ProgramFile::open(b));
    std::vector<std::shared_ptr<const program::TensorData>> data;
    if (!a.files.tensorData.empty()) {
        ET_ASSIGN(auto file, program::TensorData::open(a.files.tensorData));
        data.push_back(std::move(file));
    }
    const auto& nameOfA = a.files.program.empty() ? a.files.bundle : a.files.program;
    ET_ASSIGN(auto diff,
              inspector::diffPrograms({.program = *a.program, .name = nameOfA.string(), .tensorData = data},
                                      {.program = *other.program, .name = b.string(), .tensorData = data},
                                      {.backends = backends::describable()}));
    return ProgramComparison{.diff = std::make_shared<const inspector::ProgramDiff>(std::move(diff)),
                             .problem = {},
                             .links = {linksOf(*a.program), linksOf(*other.program)}};
}

}  // namespace

ProgramComparison comparePrograms(const inspector::Session& a, const std::filesystem::path& b) {
    auto made = diffOf(a, b);
    if (!made) {
        return {.diff = nullptr,
                .problem = visualizers::toQString(std::move(made).error().in(b.string()).toString())};
    }
    return *std::move(made);
}

}  // namespace et::studio
