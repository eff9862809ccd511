#include "app/output/run/run_report.h"

#include "app/devices/device.h"
#include "app/output/devices/target_page.h"
#include "app/output/info/info_text.h"
#include "app/output/run/run_info.h"
#include "app/output/sanitize/memory_errors.h"
#include "app/tasks/sanitize/sanitizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

namespace et::output {
namespace {

/// Incremented when the meaning of a key changes.
constexpr std::int64_t runSchema = 1;

/// Rounds numbers in `cell` to six digits.
Cell shortened(Cell cell) {
    const auto shorten = [](double& number) {
        if (std::isfinite(number)) {
            number = std::strtod(fmt::format("{:.6g}", number).c_str(), nullptr);
        }
    };
    if (auto* number = std::get_if<double>(&cell)) {
        shorten(*number);
    } else if (auto* numbers = std::get_if<std::vector<double>>(&cell)) {
        std::ranges::for_each(*numbers, shorten);
    } else if (auto* list = std::get_if<List>(&cell)) {
        for (Cell& item : *list) {
            item = shortened(std::move(item));
        }
    } else if (auto* dict = std::get_if<Dict>(&cell)) {
        for (auto& [key, item] : *dict) {
            item = shortened(std::move(item));
        }
    }
    return cell;
}

}  // namespace

Dict runReport(const tasks::RunSettings& settings, const tasks::RunResult& result) {
    executor::Method& method = *result.model->method;
    Dict info{{"schema", runSchema},
              {"file", settings.program.string()},
              {"method", std::string(method.description().name)},
              {"inputs", inputInfo(result.inputs)},
              {"outputs", result.hasOutputs() ? outputInfo(method) : List()},
              {"executions", static_cast<std::uint64_t>(result.timings.measured.size())},
              {"warmup", static_cast<std::uint64_t>(settings.repetitions.warmup)},
              {"threads", static_cast<std::uint64_t>(result.model->threads.threads())},
              {"interrupted", result.interruption == tasks::Interruption::None
                                  ? Cell()
                                  : Cell(std::string(tasks::infoOf(result.interruption).name))},
              {"time_ms", timeInfo(result.timings)},
              {"instructions", result.timings.instructions},
              {"instructions_per_second", instructionRate(result.timings)},
              {"memory", memoryInfo(method)}};
    if (!result.model->emulation.backends.empty()) {
        info.emplace_back("emulated", emulatedInfo(result.model->emulation));
    }
    if (const auto& interpreted = result.model->emulation.interpreted; !interpreted.empty()) {
        info.emplace_back("interpreted", List(interpreted.begin(), interpreted.end()));
    }
    if (const auto& sanitizer = result.model->sanitizer; sanitizer != nullptr) {
        info.emplace_back("memory_errors", memoryErrorList(sanitizer->findings()));
    }
    if (const auto& device = result.model->device; device != nullptr) {
        info.emplace_back("device", deviceInfo(device->target(), device->summary()));
    }
    if (result.recorder != nullptr) {
        info.emplace_back("trace", traceInfo(*result.recording, result.recorder->info()));
        if (result.recording->taps) {
            info.emplace_back("taps", tapInfo(result.recorder->taps()));
        }
    }
    return info;
}

std::string runText(const Dict& report) {
    Dict text = report;
    std::erase_if(text, [](const auto& member) { return member.first == "memory_errors"; });  // listed below
    return infoText(std::get<Dict>(shortened(Cell(text))), 0);
}

}  // namespace et::output
