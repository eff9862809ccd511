#include "inspector/tensor_files/npz.h"

#include "inspector/tensor_files/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace et::inspector {
namespace {

using core::Result;
using etrecord::ZipArchive;

constexpr std::string_view ending = ".npy";

/// "arr_" and 12 for "arr_12.npy".
struct NumberedName {
    std::string_view word;
    std::uint64_t number = 0;
};

std::optional<NumberedName> numbered(std::string_view name) {
    name.remove_suffix(ending.size());
    const std::size_t last = name.find_last_not_of("0123456789");
    const std::size_t digits = last == std::string_view::npos ? 0 : last + 1;
    NumberedName out{.word = name.substr(0, digits)};
    const char* const end = name.data() + name.size();
    const auto [parsed, error] = std::from_chars(name.data() + digits, end, out.number);
    return error == std::errc{} && parsed == end ? std::optional(out) : std::nullopt;
}

std::vector<const ZipArchive::Entry*> inOrder(const ZipArchive& zip) {
    std::vector<const ZipArchive::Entry*> entries;
    bool allNumbered = true;
    for (const ZipArchive::Entry& entry : zip.entries()) {
        const auto name = numbered(entry.name);
        allNumbered = allNumbered && name && name->word == numbered(zip.entries().front().name)->word;
        entries.push_back(&entry);
    }
    if (allNumbered) {
        std::ranges::stable_sort(
            entries, {}, [](const ZipArchive::Entry* entry) { return numbered(entry->name)->number; });
    }
    return entries;
}

}  // namespace

bool isNpz(const ZipArchive& zip) {
    return !zip.entries().empty() && std::ranges::all_of(zip.entries(), [](const ZipArchive::Entry& entry) {
        return entry.name.ends_with(ending);
    });
}

Result<std::vector<HostTensor>> readNpz(const ZipArchive& zip, std::uint64_t maxBytes) {
    std::vector<HostTensor> tensors;
    for (const ZipArchive::Entry* entry : inOrder(zip)) {
        if (entry->bytes > maxBytes) {
            return core::fail(core::ErrorCode::Limit,
                              fmt::format("{} bytes exceed the maximum of {}", entry->bytes, maxBytes),
                              {.field = zip.pathOf(*entry)});
        }
        maxBytes -= entry->bytes;
        ET_ASSIGN(const etrecord::ZipContent content, zip.read(*entry));
        auto tensor = isNpy(content.bytes())
                          ? readNpy(content.bytes())
                          : Result<HostTensor>(core::fail(core::ErrorCode::Format,
                                                          "expected a .npy file, got something else"));
        if (!tensor) {
            core::Error error = std::move(tensor).error();
            error.where.field = zip.pathOf(*entry);
            return std::unexpected(std::move(error));
        }
        tensors.push_back(*std::move(tensor));
    }
    return tensors;
}

}  // namespace et::inspector
