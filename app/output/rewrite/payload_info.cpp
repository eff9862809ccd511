#include "app/output/rewrite/payload_info.h"

#include "inspector/delegates/delegate_text.h"
#include "runtime/core/result.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace et::output {
namespace {

void addFiles(std::string& text, std::string_view title, const std::vector<tasks::PayloadFile>& files) {
    for (const tasks::PayloadFile& each : files) {
        text += fmt::format("  {} {}: {}{}{}\n", title, core::printable(each.name), readableBytes(each.bytes),
                            each.offset ? fmt::format(" at {}", *each.offset) : "",
                            each.name == each.file.filename() || each.name == each.file
                                ? ""
                                : fmt::format(", file {}", core::printable(each.file.string())));
    }
}

List filesInfo(const std::vector<tasks::PayloadFile>& files) {
    return listOf(files, [](const tasks::PayloadFile& each) {
        return Dict{{"name", each.name},
                    {"file", each.file.string()},
                    {"offset", each.offset ? Cell(std::uint64_t{*each.offset}) : Cell()},
                    {"bytes", each.bytes}};
    });
}

}  // namespace

std::string payloadText(const tasks::PayloadResult& payload) {
    std::string text =
        fmt::format("{}: payload of delegate {} ({}), {} ({})\n", core::printable(payload.method),
                    payload.delegate, core::printable(payload.backend), readableBytes(payload.bytes.total()),
                    inspector::payloadBytesText(payload.bytes));
    if (!payload.folder.empty()) {
        text += fmt::format("folder {}\n", core::printable(payload.folder.string()));
        addFiles(text, "part", payload.parts);
        addFiles(text, "named data", payload.namedData);
    }
    return text;
}

Dict payloadInfo(const tasks::PayloadResult& payload) {
    return {{"method", payload.method},
            {"delegate", std::uint64_t{payload.delegate}},
            {"backend", payload.backend},
            {"file", payload.file.string()},
            {"bytes", payload.bytes.total()},
            {"known_bytes", payload.bytes.known},
            {"opaque_bytes", payload.bytes.opaque},
            {"padding_bytes", payload.bytes.padding},
            {"folder", payload.folder.empty() ? Cell() : payload.folder.string()},
            {"parts", filesInfo(payload.parts)},
            {"named_data", filesInfo(payload.namedData)},
            {"missing_data", listOf(payload.missing)}};
}

}  // namespace et::output
