#include "tests/support/coreml_payload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace et::test {
namespace {

std::string varint(std::uint64_t value) {
    std::string out;
    for (; value >= 0x80; value >>= 7U) {
        out.push_back(static_cast<char>((value & 0x7FU) | 0x80U));
    }
    out.push_back(static_cast<char>(value));
    return out;
}

std::string number(std::uint32_t field, std::uint64_t value) {
    return varint(std::uint64_t{field} << 3U) + varint(value);
}

std::string bytes(std::uint32_t field, const std::string& content) {
    return varint((std::uint64_t{field} << 3U) | 2U) + varint(content.size()) + content;
}

std::string entry(std::uint32_t field, const std::string& key, const std::string& value) {
    return bytes(field, bytes(1, key) + bytes(2, value));
}

/// A ValueType of a tensor.
std::string tensorType(std::uint64_t dtype, const std::vector<std::uint64_t>& sizes) {
    std::string type = number(1, dtype) + number(2, sizes.size());
    for (const std::uint64_t size : sizes) {
        type += bytes(3, bytes(1, number(1, size)));
    }
    return bytes(1, type);
}

std::string named(std::uint32_t field, const std::string& name, const std::string& type) {
    return bytes(field, bytes(1, name) + bytes(2, type));
}

std::string argument(const std::string& name) {
    return bytes(1, bytes(1, name));
}

std::string conv(const CoremlChanges& changes) {
    const std::string weightType = tensorType(10, {2, 3});
    const std::string file = bytes(1, "@model_path/weights/weight.bin") + number(2, changes.weightOffset);
    const std::string weight = bytes(2, weightType) + bytes(5, file);
    const std::string stridesType = tensorType(23, {2});
    const std::string ints = bytes(1, varint(1) + varint(1));
    const std::string strides = bytes(2, stridesType) + bytes(3, bytes(1, bytes(2, ints)));
    return bytes(3, bytes(1, "const") + named(3, "w", weightType) + entry(5, "val", weight)) +
           bytes(3, bytes(1, "const") + named(3, "s", stridesType) + entry(5, "val", strides)) +
           bytes(3, bytes(1, "conv") + entry(2, "weight", argument("w")) + entry(2, "x", argument("x")) +
                        entry(2, "strides", argument("s")) + named(3, "y", tensorType(10, {1, 2, 4, 4})));
}

std::string relu(std::size_t depth) {
    const std::string type = tensorType(10, {1, 2, 4, 4});
    std::string operation = bytes(1, "relu") + entry(2, "x", argument("y")) + named(3, "z", type);
    for (std::size_t i = 0; i < depth; ++i) {
        const std::string block = bytes(3, operation) + bytes(2, "z");
        operation =
            bytes(1, "cond") + entry(2, "pred", argument("x")) + named(3, "z", type) + bytes(4, block);
    }
    return bytes(3, operation);
}

std::string model(const CoremlChanges& changes) {
    const std::string block = bytes(2, "z") + conv(changes) + relu(changes.blockDepth);
    const std::string function =
        named(1, "x", tensorType(10, {1, 3, 4, 4})) + bytes(2, "CoreML7") + entry(3, "CoreML7", block);
    const std::string program = number(1, 1) + entry(2, "main", function);
    return number(1, 8) + bytes(2, {}) + bytes(changes.modelType, program);
}

/// A header of a file with one weight, its metadata and 12 bytes.
std::string weights() {
    std::string file(140, '\0');
    file[0] = 1;
    file[4] = 2;
    file.replace(64, 4, "\xEF\xBE\xAD\xDE");
    file[68] = 1;
    file[72] = 12;
    file[80] = static_cast<char>(128);
    file.replace(128, 12, "abcdefghijkl");
    return file;
}

}  // namespace

PayloadBytes coremlPackage(const std::map<std::string, std::string>& files) {
    std::string content;
    std::vector<std::string> nodes;
    std::map<std::string, std::map<std::string, std::size_t>, std::greater<>> folders{{"", {}}};
    const auto add = [&](const std::string& path, std::size_t node) {
        const std::size_t slash = path.rfind('/');
        const std::string folder = slash == std::string::npos ? std::string() : path.substr(0, slash);
        for (std::size_t at = folder.find('/'); at != std::string::npos; at = folder.find('/', at + 1)) {
            folders.try_emplace(folder.substr(0, at));
        }
        folders[folder].emplace(path.substr(slash == std::string::npos ? 0 : slash + 1), node);
    };
    for (const auto& [path, data] : files) {
        content.append((16 - content.size() % 16) % 16, '\0');
        nodes.push_back(
            fmt::format(R"({{"children":null,"dataRegion":{{"offset":{},"size":{}}},"kind":0,"name":"{}"}})",
                        content.size(), data.size(), path.substr(path.rfind('/') + 1)));
        content += data;
        add(path, nodes.size() - 1);
    }
    // Descending order: folders come before those that contain them.
    while (!folders.empty()) {
        const auto [path, children] = *folders.begin();
        folders.erase(folders.begin());
        std::string list;
        for (const auto& [name, node] : children) {
            list += fmt::format("{}\"{}\":{}", list.empty() ? "" : ",", name, node);
        }
        nodes.push_back(
            fmt::format(R"({{"children":{{{}}},"dataRegion":{{"offset":0,"size":0}},"kind":1,"name":"{}"}})",
                        list, path.substr(path.rfind('/') + 1)));
        if (!path.empty()) {
            add(path, nodes.size() - 1);
        }
    }
    std::string listing = R"({"nodes":[)";
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        listing += (i == 0 ? "" : ",") + nodes[i];
    }
    listing += "]}";
    std::ranges::reverse(listing);
    content += listing;
    const auto all = std::as_bytes(std::span(content));
    return {all.begin(), all.end()};
}

PayloadBytes coremlPayload(const CoremlChanges& changes) {
    std::map<std::string, std::string> files{
        {"metadata.json", R"({"inputNames": ["x"], "outputNames": ["z"], "identifier": "model {1}"})"},
        {"debug_info.json", changes.debugInfo}};
    if (changes.isCompiled) {
        files.emplace("model.mlmodelc/model.mil", "program(1.0)");
        files.emplace("model.mlmodelc/weights/weight.bin", weights());
        return coremlPackage(files);
    }
    const std::string data = "model.mlpackage/Data/com.apple.CoreML/";
    files.emplace(
        "model.mlpackage/Manifest.json",
        R"({"fileFormatVersion": "1.0.0", "itemInfoEntries": {"A": {"path": "com.apple.CoreML/model.mlmodel"}},
 "rootModelIdentifier": "A"})");
    files.emplace(data + "model.mlmodel", model(changes));
    files.emplace(data + "weights/weight.bin", weights());
    return coremlPackage(files);
}

}  // namespace et::test
