#include "app/tasks/sanitize/sanitize_options.h"

#include "app/tasks/base/option_list.h"

namespace et::tasks {

void addSanitize(OptionList& options, bool& sanitize) {
    options.group("Memory");
    options.flag("--sanitize", sanitize,
                 "Check the memory accesses of kernels, and the memory plan: each call runs twice, with its "
                 "arguments between inaccessible pages");
}

void addMemoryReport(OptionList& options, std::filesystem::path& report) {
    options
        .path("--memory-report", report,
              "Also write memory errors to this file: JUnit XML if it ends in .xml, otherwise JSON")
        .onlyWith("--sanitize");
}

}  // namespace et::tasks
