#include "tests/studio/studio_fixture.h"

#include "app/samples/sample_set.h"
#include "app/studio/session_files.h"
#include "etdump/writer.h"
#include "inspector/session/placement.h"
#include "tests/support/synthetic_set/synthetic_set.h"

#include <fstream>
#include <string>

namespace et::test {

namespace {

constexpr std::uint64_t runLength = 1'000'000;

std::filesystem::path writeBytes(const std::filesystem::path& path, std::string_view content) {
    std::ofstream stream(path, std::ios::binary);
    stream << content;
    EXPECT_TRUE(stream.flush().good()) << "cannot write " << path;
    return path;
}

void addRun(etdump::TraceWriter& writer, std::uint64_t run) {
    writer.beginRun("Execute");
    const std::uint64_t start = run * runLength;
    writer.profile("native_call_add.out", {.instruction = 0, .chain = 0}, start, start + 1000 + run);
    writer.profile("OPERATOR_CALL", {.instruction = 0, .chain = 0}, start, start + 2000 + run);
    writer.profile("", {.instruction = 1, .chain = 0, .delegateString = "Convolution (NHWC) #1"}, start,
                   start + 3000 + run);
    writer.profile("DELEGATE_CALL", {.instruction = 1, .chain = 0}, start, start + 4000 + run);
    writer.profile("Method::execute", {.instruction = 0}, start, start + 10'000 + run);
}

}  // namespace

std::filesystem::path StudioTest::folder() const {
    return directory.path().toStdString();
}

std::filesystem::path StudioTest::write(std::string_view name, std::string_view content) const {
    return writeBytes(folder() / name, content);
}

std::filesystem::path StudioTest::write(std::string_view name, const std::vector<std::byte>& content) const {
    return writeBytes(folder() / name, {reinterpret_cast<const char*>(content.data()), content.size()});
}

inspector::SessionFiles StudioTest::sample() const {
    const auto paths = synthetic::writeSet(folder());
    EXPECT_TRUE(paths) << paths.error().toString();
    const auto files = inspector::placeFiles(*paths);
    EXPECT_TRUE(files) << files.error().toString();
    return *files;
}

std::vector<std::filesystem::path> StudioTest::samplePaths() const {
    return inspector::pathsOf(sample());
}

std::vector<std::filesystem::path> StudioTest::runSamplePaths() const {
    const auto paths = samples::writeSampleSet("conv_net", folder() / "run");
    EXPECT_TRUE(paths) << paths.error().toString();
    return *paths;
}

std::shared_ptr<const inspector::Session> openSession(const inspector::SessionFiles& files,
                                                      inspector::JoinOptions options) {
    auto session = inspector::Session::open(files, options);
    EXPECT_TRUE(session) << session.error().toString();
    return *session;
}

std::vector<std::byte> smallTrace(std::size_t runs) {
    etdump::TraceWriter writer;
    writer.beginRun("Default");
    writer.profile("Method::init", {.instruction = 0}, 100, 600);
    for (std::uint64_t run = 0; run < runs; ++run) {
        addRun(writer, run);
    }
    return writer.finish().value();
}

std::shared_ptr<const inspector::EventBlocks> smallBlocks(std::size_t runs) {
    const auto trace = etdump::Trace::parse(core::MappedFile::fromMemory(smallTrace(runs)));
    EXPECT_TRUE(trace) << trace.error().toString();
    const auto blocks = inspector::EventBlocks::build(*trace);
    EXPECT_TRUE(blocks) << blocks.error().toString();
    return *blocks;
}

}  // namespace et::test
