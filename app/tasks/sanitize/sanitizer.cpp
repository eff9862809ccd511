#include "app/tasks/sanitize/sanitizer.h"

#include "app/tasks/sanitize/method_sanitizer.h"
#include "app/tasks/sanitize/python_lines.h"

#include <algorithm>
#include <utility>

namespace et::tasks {
namespace {

/// A crash concerns the whole process.
Sanitizer::CrashReport& crashReport() {
    static Sanitizer::CrashReport report;
    return report;
}

}  // namespace

core::Result<std::unique_ptr<executor::MethodGuard>> Sanitizer::load(const void* module,
                                                                     const program::Method& method,
                                                                     std::span<core::Value> values) {
    return MethodSanitizer::make(*this, shared[module], method, values);
}

void Sanitizer::add(MemoryFinding finding) {
    const auto same =
        std::ranges::find_if(all, [&](const MemoryFinding& each) { return each.isSame(finding); });
    if (same == all.end()) {
        if (all.size() < maxFindings) {
            addPythonLine(finding, *program, record.get());
            all.push_back(std::move(finding));
        }
        return;
    }
    finding.times = same->times + 1;
    // An observed access is more exact than its effect.
    if (same->function.empty() && !finding.function.empty()) {
        finding.python = same->python;
        *same = std::move(finding);
    } else {
        same->times = finding.times;
    }
}

void Sanitizer::onCrash(CrashReport report) {
    crashReport() = std::move(report);
}

void Sanitizer::crash() const {
    if (crashReport()) {
        crashReport()(all);
    }
}

}  // namespace et::tasks
