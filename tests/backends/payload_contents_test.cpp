// Tests how the bytes of payloads are counted, and their parts.
#include "backends/payload_contents.h"

#include "bundled_program/bundle.h"
#include "runtime/executor/module_data.h"
#include "runtime/program/program.h"
#include "tests/backends/open_payload_checks.h"
#include "tests/support/open_payloads.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends {
namespace {

namespace fs = std::filesystem;

const test::NamedBytes noData;

ListedContents contentsOf(std::string_view backend, core::Bytes payload,
                          const executor::NamedDataSource& data = noData) {
    return listedContents(
        {.backend = backend, .payload = payload, .segment = std::nullopt, .compileSpecs = {}}, data);
}

std::vector<std::string> namesOf(const ListedContents& contents) {
    std::vector<std::string> names;
    for (const ListedPart& each : contents.parts) {
        names.push_back(each.part.name);
    }
    return names;
}

TEST(PayloadBytesTest, GapsOfZerosArePadding) {
    std::vector<std::byte> bytes(16);
    bytes[5] = std::byte{1};
    ByteCoverage coverage(bytes);
    EXPECT_EQ(coverage.count(), (PayloadBytes{.known = 0, .opaque = 16, .padding = 0}));
    coverage.add(bytes.data(), 2);
    coverage.add(bytes.data() + 1, 3);
    coverage.add(bytes.data() + 8, 100);
    EXPECT_EQ(coverage.count(), (PayloadBytes{.known = 12, .opaque = 4, .padding = 0}));
    bytes[5] = std::byte{0};
    EXPECT_EQ(coverage.count(), (PayloadBytes{.known = 12, .opaque = 0, .padding = 4}));
    const CountedParts parts(coverage);
    EXPECT_EQ(parts.count(3, 9), (PayloadBytes{.known = 2, .opaque = 0, .padding = 4}));
    EXPECT_EQ(parts.count(16, 16), PayloadBytes{});
    EXPECT_EQ(ByteCoverage(core::Bytes()).count(), PayloadBytes{});
}

TEST(PayloadBytesTest, RemovedPartsAreNoLongerKnown) {
    const std::vector<std::byte> bytes(20, std::byte{1});
    const core::Bytes all = bytes;
    ByteCoverage coverage(all);
    coverage.add(all.data(), 12);
    coverage.add(all.data() + 10, 8);
    coverage.remove({all.subspan(14, 2), all.subspan(2, 4), all.subspan(4, 4), all.subspan(17, 3)});
    EXPECT_EQ(coverage.count(), (PayloadBytes{.known = 9, .opaque = 11, .padding = 0}));
    ByteCoverage inner(all.first(6));
    inner.add(all.data() + 1, 4);
    coverage.addInner(all.subspan(2, 3), inner);
    EXPECT_EQ(coverage.count(), (PayloadBytes{.known = 11, .opaque = 9, .padding = 0}));
}

TEST(PayloadContentsTest, UnknownFormatsAreOpaque) {
    const std::array<std::byte, 12> bytes{};
    EXPECT_EQ(contentsOf("SecretBackend", bytes).bytes, (PayloadBytes{.opaque = 12}));
    EXPECT_EQ(contentsOf("XnnpackBackend", bytes).bytes, (PayloadBytes{.opaque = 12})) << "damaged";
    EXPECT_TRUE(contentsOf("XnnpackBackend", bytes).parts.empty());
}

TEST(PayloadContentsTest, GraphsAreKnownWithTheirConstants) {
    for (const auto& [backend, payload] : std::map<std::string_view, test::PayloadBytes>{
             {"VulkanBackend", test::vulkanPayload()}, {"MPSBackend", test::mpsPayloadOfAllKinds()}}) {
        const PayloadBytes bytes = contentsOf(backend, payload).bytes;
        EXPECT_EQ(bytes.total(), payload.size()) << backend;
        EXPECT_EQ(bytes.opaque, 0U) << backend;
    }
}

TEST(PayloadContentsTest, StreamsHaveTheirBlocksAsParts) {
    const test::PayloadBytes payload = test::ethosUPayload();
    const ListedContents contents = contentsOf("EthosUBackend", payload);
    EXPECT_EQ(contents.bytes.total(), payload.size());
    EXPECT_EQ(contents.bytes.opaque, 60U);
    EXPECT_THAT(namesOf(contents),
                testing::ElementsAre("cmd_data", "weight_data", "scratch_size", "inputs", "outputs"));
    const ListedPart& weights = contents.parts[1];
    EXPECT_EQ(weights.bytes, (PayloadBytes{.opaque = 40}));
    ASSERT_TRUE(weights.offset);
    EXPECT_EQ(payload.data() + *weights.offset, weights.part.data.data());
}

TEST(PayloadContentsTest, CompiledCodeIsAPart) {
    EXPECT_THAT(namesOf(contentsOf("NeutronBackend", test::neutronPayload())),
                testing::ElementsAre("header", "microcode"));
    const test::PayloadBytes payload = test::neuropilotPayload();
    const ListedContents network = contentsOf("NeuropilotBackend", payload);
    EXPECT_THAT(namesOf(network), testing::ElementsAre("network"));
    EXPECT_EQ(network.bytes.total(), payload.size());
    EXPECT_EQ(network.bytes.padding, 2U);
    EXPECT_EQ(network.parts.front().bytes.opaque, 4U);
}

/// Every byte counts once, and a part is where it says.
void expectCounted(const program::Program& program) {
    // Formats of which all bytes are known.
    constexpr std::array described{"MLXBackend", "MPSBackend", "NativeBackend", "VulkanBackend",
                                   "XnnpackBackend"};
    const executor::ModuleData data(program, {});
    for (const program::Method& method : program.methods) {
        for (const program::Delegate& delegate : method.delegates) {
            const ListedContents contents = listedContents(delegate, data);
            EXPECT_EQ(contents.bytes.total(), delegate.payload.size()) << delegate.backend;
            if (std::ranges::contains(described, delegate.backend)) {
                EXPECT_EQ(contents.bytes.opaque, 0U) << delegate.backend;
                EXPECT_GT(contents.bytes.known, contents.bytes.padding) << delegate.backend;
            }
            for (const ListedPart& each : contents.parts) {
                EXPECT_EQ(each.bytes.total(), each.part.data.size()) << each.part.name;
                EXPECT_TRUE(!each.offset || delegate.payload.data() + *each.offset == each.part.data.data() ||
                            each.part.data.empty())
                    << each.part.name;
            }
        }
    }
}

/// Null if the program is damaged, which is tested elsewhere.
std::shared_ptr<const program::Program> openAny(const fs::path& path) {
    if (path.extension() == ".pte") {
        return program::Program::open(path).value_or(nullptr);
    }
    const auto bundle = bundled_program::Bundle::open(path);
    return bundle ? program::Program::parse((*bundle)->file, (*bundle)->program).value_or(nullptr) : nullptr;
}

TEST(RealPayloadContents, AddUpForEveryDelegate) {
    ET_NEEDS_SHARED_DATA();
    std::size_t programs = 0;
    for (const char* const folder : {"programs", "mlx", "native_pte", "backends_new", "legacy"}) {
        for (const char* const extension : {".pte", ".bpte"}) {
            for (const fs::path& path : test::sharedFiles(test::sharedData() / folder, extension)) {
                SCOPED_TRACE(path);
                if (const auto program = openAny(path)) {
                    expectCounted(*program);
                    ++programs;
                }
            }
        }
    }
    EXPECT_GT(programs, 100U);
}

}  // namespace
}  // namespace et::backends
