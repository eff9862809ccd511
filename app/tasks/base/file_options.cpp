#include "app/tasks/base/file_options.h"

#include <utility>
#include <vector>

namespace et::tasks {

Option& addModelFile(OptionList& options, std::filesystem::path& model) {
    return options.file("MODEL", model, "Program (.pte), bundled program (.bpte) or package (.ptn)")
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

void addTraceClock(OptionList& options, inspector::TraceClock& clock, std::string_view names) {
    options.choice(names, clock.unit, timeScaleChoices, "Time unit of the trace (default: ns)");
    options
        .custom("--delegate-time-scale [BACKEND=]UNIT", clock.delegates, &inspector::parseDelegateTimeScale,
                &inspector::delegateTimeScaleText,
                "Unit of the times inside delegates: ns, us, ms, s, a clock such as 800MHz, a number of the "
                "trace's ticks, or cycles of an unknown clock (default: that of the trace; repeatable)")
        .suggests({"ns", "us", "ms", "s", "cycles"});
}

}  // namespace et::tasks
