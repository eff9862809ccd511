// Fuzzes descriptions of runtimes and devices: lists and YAML of selective builds, targets, binaries and
// archives.
#include "inspector/fit/binary_names.h"
#include "inspector/fit/kernel_list.h"
#include "inspector/fit/oplist.h"
#include "inspector/fit/target.h"
#include "tests/fuzz/support/byte_source.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

volatile std::size_t sink = 0;

void use(const et::core::Result<et::inspector::KernelList>& list) {
    if (!list) {
        et::fuzz::require(!list.error().toString().empty());
        return;
    }
    for (const auto& [name, support] : list->operators) {
        const et::inspector::KernelUse call{.dtypes = support.dtypes};
        et::fuzz::require(list->match(name, call) != et::inspector::KernelMatch::NoOperator);
        sink = sink + support.keys.size();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    use(et::inspector::readKernelText(text, "file"));
    use(et::inspector::readKernelSettings(text, "file"));
    sink = et::inspector::readTarget(text, "file").has_value() ? 1 : 0;
    const auto file = et::core::MappedFile::fromMemory({bytes.begin(), bytes.end()}, "file");
    const std::vector<std::string> backends{"mine"};
    if (const auto names = et::inspector::readBinaryNames(*file, backends)) {
        et::fuzz::require(et::inspector::isBinary(bytes));
        use(et::inspector::collectKernels(*names));
    }
    return 0;
}
