#include "backends/coreml/package.h"

#include "backends/payload_data.h"
#include "runtime/archive/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace et::backends::coreml {
namespace {

using archive::JsonValue;
using core::Bytes;
using core::ErrorCode;
using core::Result;

constexpr std::string_view referenceMark = "CMJR";
constexpr std::size_t maxNodes = 65'536;
constexpr std::size_t maxFolders = 64;

core::Where inPackage(std::string_view field) {
    return {.file = {}, .field = std::string(field), .offset = {}};
}

/// The listing at the end of the payload.
Result<Bytes> findListing(Bytes payload) {
    std::size_t end = payload.size();
    while (end > 0 && payload[end - 1] == std::byte{}) {
        --end;
    }
    std::size_t open = 0;
    bool isText = false;
    bool isEscaped = false;
    for (std::size_t at = end; at > 0; --at) {
        const char letter = static_cast<char>(payload[at - 1]);
        if (isText) {
            isText = isEscaped || letter != '"';
            isEscaped = !isEscaped && letter == '\\';
        } else if (letter == '"') {
            isText = true;
        } else if (letter == '{') {
            ++open;
        } else if (letter == '}' && open > 0) {
            --open;
        }
        if (open == 0) {
            const bool isObject = at < end;
            return isObject ? Result<Bytes>(payload.subspan(at - 1, end - at + 1))
                            : core::fail(ErrorCode::Format, "expected a list of files at the end, got none",
                                         inPackage("package"));
        }
    }
    return core::fail(ErrorCode::Format, "expected a list of files at the end, got none",
                      inPackage("package"));
}

struct ListedNode {
    std::string_view name;
    bool isFolder = false;
    Bytes data;
    std::vector<std::pair<std::string_view, std::size_t>> children;
};

Result<std::uint64_t> unsignedMember(const JsonValue& value, std::string_view name) {
    const auto member = value.find(name);
    if (!member) {
        return 0;
    }
    ET_ASSIGN(const std::int64_t number, member->integer());
    return number < 0 ? Result<std::uint64_t>(member->unexpected("a nonnegative number"))
                      : Result<std::uint64_t>(static_cast<std::uint64_t>(number));
}

Result<ListedNode> readNode(const JsonValue& value, std::size_t index, Bytes payload) {
    ListedNode node;
    if (const auto name = value.find("name")) {
        ET_ASSIGN(node.name, name->string());
    }
    ET_ASSIGN(const std::uint64_t kind, unsignedMember(value, "kind"));
    if (kind > 1) {
        return core::fail(ErrorCode::Format, fmt::format("expected 0 (file) or 1 (folder), got {}", kind),
                          inPackage(value.path() + ".kind"));
    }
    node.isFolder = kind == 1;
    if (const auto region = value.find("dataRegion"); region && !node.isFolder) {
        ET_ASSIGN(const std::uint64_t offset, unsignedMember(*region, "offset"));
        ET_ASSIGN(const std::uint64_t size, unsignedMember(*region, "size"));
        ET_ASSIGN(node.data, payloadPart(payload, offset, size, "dataRegion"));
    }
    const auto children = value.find("children");
    if (!children || !node.isFolder) {
        return node;
    }
    ET_TRY(children->forEachMember([&](std::string_view name, const JsonValue& child) -> Result<> {
        ET_ASSIGN(const std::int64_t position, child.integer());
        if (position < 0 || static_cast<std::uint64_t>(position) >= index) {
            return core::fail(ErrorCode::Format,
                              fmt::format("expected a node before {}, got {}", index, position),
                              inPackage(child.path()));
        }
        node.children.emplace_back(name, static_cast<std::size_t>(position));
        return {};
    }));
    return node;
}

Result<> addFiles(std::span<const ListedNode> nodes, std::vector<PackageFile>& files) {
    struct Folder {
        std::size_t node;
        std::string path;
        std::size_t depth;
    };
    std::vector<bool> isUsed(nodes.size());
    std::vector<Folder> open{{.node = nodes.size() - 1, .path = {}, .depth = 0}};
    while (!open.empty()) {
        const Folder at = std::move(open.back());
        open.pop_back();
        for (const auto& [name, child] : nodes[at.node].children) {
            if (isUsed[child]) {
                return core::fail(ErrorCode::Format,
                                  fmt::format("expected each node in one folder, got {} in two", child),
                                  inPackage("package: nodes"));
            }
            isUsed[child] = true;
            std::string path = at.path.empty() ? std::string(name) : fmt::format("{}/{}", at.path, name);
            if (!nodes[child].isFolder) {
                files.push_back({.path = std::move(path), .data = nodes[child].data});
            } else if (at.depth + 1 < maxFolders) {
                open.push_back({.node = child, .path = std::move(path), .depth = at.depth + 1});
            } else {
                return core::fail(
                    ErrorCode::Limit,
                    fmt::format("expected folders nested at most {} deep, got more", maxFolders),
                    inPackage("package: nodes"));
            }
        }
    }
    std::ranges::sort(files, {}, &PackageFile::path);
    return {};
}

Result<> readListing(Bytes payload, Package& package) {
    ET_ASSIGN(package.listing, findListing(payload));
    const std::vector<std::byte> text(package.listing.rbegin(), package.listing.rend());
    ET_ASSIGN(const auto document, archive::JsonDocument::parse(text, "package"));
    const JsonValue root = document.root();
    ET_ASSIGN(const JsonValue list, root.member("nodes"));
    ET_ASSIGN(const std::size_t count, list.size());
    if (count == 0 || count > maxNodes) {
        return core::fail(ErrorCode::Limit, fmt::format("expected 1 to {} nodes, got {}", maxNodes, count),
                          inPackage(list.path()));
    }
    std::vector<ListedNode> nodes;
    ET_TRY(list.forEach([&](const JsonValue& each) -> Result<> {
        ET_ASSIGN(ListedNode node, readNode(each, nodes.size(), payload));
        nodes.push_back(std::move(node));
        return {};
    }));
    if (!nodes.back().isFolder) {
        package.files.push_back({.path = std::string(nodes.back().name), .data = nodes.back().data});
        return {};
    }
    return addFiles(nodes, package.files);
}

}  // namespace

const PackageFile* Package::find(std::string_view path) const {
    const auto found = std::ranges::lower_bound(files, path, {}, &PackageFile::path);
    return found != files.end() && found->path == path ? &*found : nullptr;
}

Result<Package> readPackage(Bytes payload, const executor::NamedDataSource& namedData) {
    Package package;
    if (!core::textOf(payload).starts_with(referenceMark)) {
        ET_TRY(readListing(payload, package));
        return package;
    }
    package.reference = payload;
    ET_ASSIGN(const auto document,
              archive::JsonDocument::parse(payload.subspan(referenceMark.size()), "reference"));
    const JsonValue root = document.root();
    ET_ASSIGN(const JsonValue key, root.member("key"));
    ET_ASSIGN(package.key, key.string());
    if (const auto name = root.find("functionName"); name && name->isString()) {
        ET_ASSIGN(package.functionName, name->string());
    }
    if (const auto named = namedData.find(package.key)) {
        ET_TRY(readListing(*named, package));
    }
    return package;
}

}  // namespace et::backends::coreml
