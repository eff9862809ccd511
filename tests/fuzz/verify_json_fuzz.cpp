// Fuzzes the report of a process that ran a model, which a hostile model may control: a report that is read
// must survive a write and read.
#include "app/tasks/verify/report_json.h"
#include "tests/fuzz/support/byte_source.h"
#include "tests/fuzz/support/json_mutator.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto report = et::tasks::readVerifyJson(text);
    if (!report) {
        std::ignore = report.error().toString();
        return 0;
    }
    const std::string json = et::tasks::verifyJson(std::span(&*report, 1));
    const auto again = et::tasks::readVerifyJson(json);
    et::fuzz::require(again.has_value() && et::tasks::verifyJson(std::span(&*again, 1)) == json);
    return 0;
}
