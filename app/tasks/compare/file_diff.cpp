#include "app/tasks/compare/file_diff.h"

#include "app/tasks/base/program_file.h"
#include "backends/builtin.h"

namespace et::tasks {

using core::Result;

std::vector<std::filesystem::path> DiffQuery::inputs() const {
    std::vector<std::filesystem::path> files{before, after};
    files.insert(files.end(), dataBefore.begin(), dataBefore.end());
    files.insert(files.end(), dataAfter.begin(), dataAfter.end());
    return files;
}

Result<inspector::ProgramDiff> diffFiles(const DiffQuery& question) {
    ET_ASSIGN(const ProgramFile left, ProgramFile::open(question.before));
    ET_ASSIGN(const ProgramFile right, ProgramFile::open(question.after));
    ET_ASSIGN(const auto filesBefore, openTensorData(question.dataBefore));
    ET_ASSIGN(const auto filesAfter,
              openTensorData(question.dataAfter.empty() ? question.dataBefore : question.dataAfter));
    return inspector::diffPrograms(
        {.program = *left.program, .name = question.before.string(), .tensorData = filesBefore},
        {.program = *right.program, .name = question.after.string(), .tensorData = filesAfter},
        {.backends = backends::describable(), .method = question.method});
}

}  // namespace et::tasks
