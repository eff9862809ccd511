// Tests that payloads are written byte for byte, and that no name leaves their folder.
#include "app/tasks/rewrite/payload_files.h"

#include "app/tasks/base/contained_paths.h"
#include "app/tasks/base/program_file.h"
#include "runtime/program/program.h"
#include "tests/support/open_payloads.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// Overwrites the first occurrence of a text, zero-padded.
void replaceText(test::PayloadBytes& payload, std::string_view text, std::string_view by) {
    const auto from = std::as_bytes(std::span(text));
    const auto found = std::ranges::search(payload, from);
    ASSERT_FALSE(found.empty()) << text;
    for (std::size_t i = 0; i < text.size(); ++i) {
        found[static_cast<std::ptrdiff_t>(i)] = i < by.size() ? static_cast<std::byte>(by[i]) : std::byte{};
    }
}

std::vector<std::string> filesBelow(const fs::path& folder) {
    std::vector<std::string> files;
    for (const auto& each : fs::recursive_directory_iterator(folder)) {
        if (each.is_regular_file()) {
            files.push_back(fs::relative(each.path(), folder).string());
        }
    }
    std::ranges::sort(files);
    return files;
}

class PayloadFiles : public testing::Test {
  protected:
    /// A program whose method "forward" has this delegate; borrows the payload.
    static program::Program programWith(std::string_view backend, core::Bytes payload) {
        program::Method method{.name = "forward"};
        method.delegates.push_back(
            {.backend = backend, .payload = payload, .segment = std::nullopt, .compileSpecs = {}});
        program::Program made;
        made.methods.push_back(std::move(method));
        return made;
    }
    [[nodiscard]] core::Result<PayloadResult> extract(const program::Program& from) const {
        return extractPayload(from, {}, {.output = folder.path() / "out" / "payload.bin"});
    }

    PayloadFiles() { fs::create_directory(folder.path() / "out"); }

    test::ScratchFolder folder;
};

TEST(ContainedPaths, StayInTheFolder) {
    ContainedPaths paths;
    for (const char* const name : {"../evil", "/etc/evil", "a/../../evil", "..", "", "a//b", "two\nlines",
                                   "./x", "C:\\evil", "a/b/c", "a/b", "a/b/c"}) {
        const fs::path path = paths.add(name);
        EXPECT_TRUE(path.is_relative()) << name;
        EXPECT_FALSE(path.empty()) << name;
        for (const fs::path& part : path) {
            EXPECT_NE(part, "..") << name;
            EXPECT_FALSE(part.empty()) << name;
        }
    }
}

TEST(ContainedPaths, AreDistinctAndKeepFolders) {
    ContainedPaths paths;
    EXPECT_EQ(paths.add("model.mlpackage/Data/weight.bin"), "model.mlpackage/Data/weight.bin");
    EXPECT_EQ(paths.add("a"), "a");
    EXPECT_EQ(paths.add("a"), "a_2");
    EXPECT_EQ(paths.add("a"), "a_3");
    EXPECT_EQ(paths.add("a/b"), "a_b") << "a is a file";
    EXPECT_EQ(paths.add("model.mlpackage"), "model.mlpackage_2") << "it is a folder";
    EXPECT_EQ(paths.add(std::string(3000, 'x')).string().size(), 200U);
}

TEST_F(PayloadFiles, AreThePayloadAndItsParts) {
    const test::PayloadBytes payload = test::ethosUPayload();
    const auto result = extract(programWith("EthosUBackend", payload));
    ASSERT_TRUE(result) << result.error().toString();
    EXPECT_EQ(test::readBytes(result->file), payload);
    EXPECT_EQ(result->folder, payloadFolder(result->file));
    EXPECT_EQ(filesBelow(result->folder),
              (std::vector<std::string>{"cmd_data", "inputs", "outputs", "scratch_size", "weight_data"}));
    EXPECT_EQ(fs::file_size(result->folder / "weight_data"), 40U);
    EXPECT_EQ(result->bytes.total(), payload.size());
}

TEST_F(PayloadFiles, DoNotLeaveTheirFolder) {
    test::PayloadBytes payload = test::ethosUPayload();
    replaceText(payload, "cmd_data", "../../e");
    replaceText(payload, "weight_data", "/../x");
    replaceText(payload, "scratch_size", "inputs");
    const auto result = extract(programWith("EthosUBackend", payload));
    ASSERT_TRUE(result) << result.error().toString();
    for (const std::string& each : filesBelow(folder.path())) {
        EXPECT_THAT(each, testing::StartsWith("out/payload.bin"));
    }
    EXPECT_EQ(filesBelow(result->folder).size(), 5U);
    EXPECT_EQ(result->parts.front().name, "../../e");
}

TEST_F(PayloadFiles, OfUnknownBackendsHaveNoFolder) {
    const test::PayloadBytes payload(100, std::byte{7});
    const auto result = extract(programWith("SecretBackend", payload));
    ASSERT_TRUE(result) << result.error().toString();
    EXPECT_EQ(test::readBytes(result->file), payload);
    EXPECT_TRUE(result->folder.empty());
    EXPECT_EQ(result->bytes.opaque, 100U);
    EXPECT_EQ(filesBelow(folder.path()), std::vector<std::string>{"out/payload.bin"});
}

TEST_F(PayloadFiles, DoNotReplaceAFolder) {
    const test::PayloadBytes payload = test::ethosUPayload();
    const program::Program program = programWith("EthosUBackend", payload);
    ASSERT_TRUE(extract(program));
    const auto again = extract(program);
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error().toString(), HasSubstr("payload.bin.parts: refusing to replace it"));
}

TEST_F(PayloadFiles, NameTheDelegatesThereAre) {
    const test::PayloadBytes payload(4);
    const auto missing = extractPayload(programWith("SecretBackend", payload), {},
                                        {.delegate = 3, .output = folder.path() / "x"});
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().toString(), HasSubstr("no delegate 3: forward has 1, numbered from 0"));
    EXPECT_FALSE(fs::exists(folder.path() / "x"));
}

TEST_F(PayloadFiles, OfRealProgramsAreExact) {
    ET_NEEDS_SHARED_DATA();
    std::size_t extracted = 0;
    for (const char* const data : {"programs/backends", "mlx", "native_pte", "backends_new"}) {
        for (const fs::path& path : test::sharedFiles(test::sharedData() / data, ".bpte")) {
            const auto opened = ProgramFile::open(path);
            ASSERT_TRUE(opened) << path << opened.error().toString();
            for (const program::Method& method : opened->program->methods) {
                for (std::size_t i = 0; i < method.delegates.size(); ++i) {
                    const auto result =
                        extractPayload(*opened->program, {},
                                       {.model = path,
                                        .method = std::string(method.name),
                                        .delegate = i,
                                        .output = folder.path() / std::to_string(extracted++)});
                    ASSERT_TRUE(result) << path << result.error().toString();
                    const core::Bytes payload = method.delegates[i].payload;
                    EXPECT_TRUE(std::ranges::equal(test::readBytes(result->file), payload)) << path;
                    EXPECT_EQ(result->bytes.total(), payload.size()) << path;
                    for (const PayloadFile& part : result->parts) {
                        const auto bytes = test::readBytes(result->folder / part.file);
                        EXPECT_EQ(bytes.size(), part.bytes);
                        EXPECT_TRUE(!part.offset ||
                                    std::ranges::equal(bytes, payload.subspan(*part.offset, part.bytes)));
                    }
                    for (const PayloadFile& named : result->namedData) {
                        EXPECT_TRUE(std::ranges::equal(test::readBytes(result->folder / named.file),
                                                       opened->program->findNamedData(named.name)->data));
                    }
                }
            }
        }
    }
    EXPECT_GT(extracted, 50U);
}

}  // namespace
}  // namespace et::tasks
