#include "app/tasks/sanitize/code_place.h"

#include <cxxabi.h>
#include <dlfcn.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stacktrace>
#include <string_view>

namespace et::tasks {
namespace {

/// Whether a file belongs to the C or C++ library, which plugins call with their pointers.
bool isLanguageLibrary(std::string_view path) {
    constexpr std::array<std::string_view, 5> names{"libc.so", "libc-", "libstdc++.so", "libm.so",
                                                    "ld-linux"};
    const std::string name = std::filesystem::path(path).filename().string();
    for (const std::string_view each : names) {
        if (name.starts_with(each)) {
            return true;
        }
    }
    return false;
}

std::string demangled(const char* name) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                      &std::free);
    return status == 0 && text != nullptr ? text.get() : name;
}

}  // namespace

CodePlace placeOf(std::span<void* const> frames) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
        // A return address belongs to the instruction before it.
        const std::uintptr_t address = std::bit_cast<std::uintptr_t>(frames[i]) - (i == 0 ? 0 : 1);
        Dl_info info{};
        if (::dladdr(std::bit_cast<void*>(address), &info) == 0 || info.dli_fname == nullptr ||
            (isLanguageLibrary(info.dli_fname) && i + 1 < frames.size())) {
            continue;
        }
        static_assert(sizeof(std::stacktrace_entry) == sizeof(address));
        const auto entry = std::bit_cast<std::stacktrace_entry>(address);
        CodePlace place{.function = entry.description(),
                        .library = info.dli_fname,
                        .file = entry.source_file(),
                        .line = static_cast<int>(entry.source_line())};
        if (place.function.empty() && info.dli_sname != nullptr) {
            place.function = demangled(info.dli_sname);
        }
        return place;
    }
    return {};
}

}  // namespace et::tasks
