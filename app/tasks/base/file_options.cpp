#include "app/tasks/base/file_options.h"

#include <utility>
#include <vector>

namespace et::tasks {

Option& addModelFile(OptionList& options, std::filesystem::path& model) {
    return options.file("MODEL", model, "Program (.pte) or bundled program (.bpte)")
        .takesFiles(anyProgram)
        .mustBeGiven();
}

Option& addRecordFile(OptionList& options, std::string_view names, std::filesystem::path& record,
                      std::string help) {
    return options.file(names, record, std::move(help)).takesFiles({SessionFile::Record}).accompanies();
}

void addTensorData(OptionList& options, std::vector<std::filesystem::path>& files) {
    options.file("--data", files, "External weights file (.ptd) (repeatable)")
        .takesFiles({SessionFile::TensorData})
        .accompanies();
}

}  // namespace et::tasks
