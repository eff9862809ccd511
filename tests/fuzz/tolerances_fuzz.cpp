// Fuzzes the JSON of tolerances read by `verify --tolerances`.
#include "app/tasks/verify/tolerance_file.h"
#include "tests/fuzz/support/json_mutator.h"

#include <cstdint>
#include <string_view>
#include <tuple>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto tolerances = et::tasks::ToleranceFile::parse(text);
    if (!tolerances) {
        std::ignore = tolerances.error().toString();
        return 0;
    }
    for (const char* file : {"add.bpte", "ops/add.bpte", "", "models/q/conv_int8.bpte"}) {
        if (const auto settings = tolerances->settingsFor(file, {}); !settings) {
            std::ignore = settings.error().toString();
        }
    }
    return 0;
}
