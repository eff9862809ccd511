#include "app/tasks/compare/program_changes.h"

#include "backends/builtin.h"
#include "runtime/program/tensor_data.h"

#include <memory>
#include <utility>
#include <vector>

namespace et::tasks {

core::Result<inspector::ProgramDiff> programChanges(const MeasuredProgram& before,
                                                    const MeasuredProgram& after,
                                                    std::span<const std::filesystem::path> tensorData) {
    std::vector<std::shared_ptr<const program::TensorData>> files;
    for (const std::filesystem::path& each : tensorData) {
        ET_ASSIGN(auto file, program::TensorData::open(each));
        files.push_back(std::move(file));
    }
    const auto sideOf = [&](const MeasuredProgram& side) {
        return inspector::DiffSide{
            .program = *side.program, .name = side.measurement.name, .tensorData = files};
    };
    return inspector::diffPrograms(
        sideOf(before), sideOf(after),
        {.backends = backends::describable(), .method = before.measurement.settings->method});
}

}  // namespace et::tasks
