#include "runtime/native/package.h"

#include "runtime/archive/json.h"
#include "runtime/archive/zip.h"
#include "runtime/core/file_kind.h"
#include "runtime/native/detail/member_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::native {
namespace {

using archive::JsonValue;
using archive::ZipArchive;
using archive::ZipContent;
using core::ErrorCode;
using core::fail;
using core::Result;
using detail::aliasesMember;
using detail::graphMember;
using detail::tensorsMember;

/// Puts the member before the field of an error.
core::Error inMember(core::Error error, std::string_view member) {
    error.where.field =
        error.where.field.empty() ? std::string(member) : fmt::format("{}: {}", member, error.where.field);
    return error;
}

Result<Program> readGraphMember(const ZipArchive& zip) {
    const ZipArchive::Entry* const entry = zip.find(graphMember);
    if (entry == nullptr) {
        return fail(ErrorCode::Format, "expected this member, got none", {.field = std::string(graphMember)});
    }
    ET_ASSIGN(const ZipContent content, zip.read(*entry));
    const auto offset = zip.offsetOf(*entry);
    return parseProgram(content.bytes(), offset.value_or(0)).transform_error([&](core::Error error) {
        if (!offset) {
            error.where.offset.reset();
        }
        return inMember(std::move(error), graphMember);
    });
}

Result<Safetensors> readTensorsMember(const ZipArchive& zip) {
    const ZipArchive::Entry* const entry = zip.find(tensorsMember);
    if (entry == nullptr) {
        return Safetensors();
    }
    ET_ASSIGN(ZipContent content, zip.read(*entry));
    auto owner = std::make_shared<const ZipContent>(std::move(content));
    const core::Bytes bytes = owner->bytes();
    return Safetensors::parse(bytes, tensorsMember, std::move(owner));
}

Result<> addAlias(Package& package, std::string_view key, const JsonValue& json) {
    ET_ASSIGN(const std::string_view owner, json.string());
    const auto& stored = package.tensors.tensors;
    if (stored.contains(key)) {
        return fail(
            ErrorCode::Format,
            fmt::format("expected an alias or a stored tensor \"{}\", got both", core::printable(key)),
            {.field = json.path()});
    }
    if (!stored.contains(owner)) {
        return fail(ErrorCode::Format,
                    fmt::format("expected a stored tensor, got \"{}\"", core::printable(owner)),
                    {.field = json.path()});
    }
    return package.aliases.emplace(key, owner).second ? Result<>()
                                                      : json.unexpected("one alias of this name");
}

Result<> readAliasesMember(const ZipArchive& zip, Package& package) {
    const ZipArchive::Entry* const entry = zip.find(aliasesMember);
    if (entry == nullptr) {
        return {};
    }
    ET_ASSIGN(const ZipContent content, zip.read(*entry));
    ET_ASSIGN(const auto document, archive::JsonDocument::parse(content.bytes(), aliasesMember));
    const JsonValue root = document.root();
    return root.forEachMember(
        [&](std::string_view key, const JsonValue& json) { return addAlias(package, key, json); });
}

/// Mutable state has its own bytes: writing one key must not change another.
Result<> checkMutableKeys(const Package& package) {
    for (const Method& method : package.program.methods) {
        for (const Constant& constant : method.constants) {
            if (constant.isMutable && package.aliases.contains(constant.key)) {
                return fail(ErrorCode::Format,
                            fmt::format("expected own data of mutable buffer \"{}\", got an alias",
                                        core::printable(constant.key)),
                            {.field = std::string(aliasesMember)});
            }
        }
    }
    return {};
}

Result<> readMembers(const ZipArchive& zip, Package& package) {
    for (const ZipArchive::Entry& entry : zip.entries()) {
        package.members.push_back({.name = entry.name,
                                   .bytes = entry.bytes,
                                   .offset = zip.offsetOf(entry),
                                   .isDeflated = entry.deflated});
    }
    ET_ASSIGN(package.program, readGraphMember(zip));
    ET_ASSIGN(package.tensors, readTensorsMember(zip));
    ET_TRY(readAliasesMember(zip, package));
    ET_TRY(checkMutableKeys(package));
    return checkConstants(package.program, package.finder());
}

}  // namespace

Result<std::shared_ptr<const Package>> Package::open(const std::filesystem::path& path) {
    return core::openOfKind(path, core::FileKind::Package).and_then([](auto file) {
        return parse(std::move(file));
    });
}

Result<std::shared_ptr<const Package>> Package::parse(std::shared_ptr<const core::MappedFile> file) {
    auto package = std::make_shared<Package>();
    package->file = file;
    const auto read =
        ZipArchive::open(file).and_then([&](const ZipArchive& zip) { return readMembers(zip, *package); });
    if (!read) {
        core::Error error = read.error();
        return core::passOn(std::move(error).in(file->name()));
    }
    return std::shared_ptr<const Package>(std::move(package));
}

std::optional<StoredTensor> Package::find(std::string_view key) const {
    const auto alias = aliases.find(key);
    const auto found = tensors.tensors.find(alias == aliases.end() ? key : std::string_view(alias->second));
    if (found == tensors.tensors.end()) {
        return std::nullopt;
    }
    return StoredTensor{
        .data = found->second.data, .scalarType = found->second.scalarType, .sizes = found->second.sizes};
}

std::optional<std::uint64_t> Package::offsetOfMember(std::string_view member) const {
    const auto found = std::ranges::find(members, member, &PackageMember::name);
    return found == members.end() ? std::nullopt : found->offset;
}

std::optional<std::uint64_t> Package::offsetOfTensor(std::string_view key) const {
    const auto found = tensors.tensors.find(key);
    const auto start = offsetOfMember(tensorsMember);
    return found == tensors.tensors.end() || !start ? std::nullopt
                                                    : std::optional(*start + found->second.offset);
}

}  // namespace et::native
