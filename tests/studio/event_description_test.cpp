// Tests of the event description in the details pane.
#include "visualizers/events/event_description.h"

#include "etdump/writer.h"
#include "inspector/findings/answers.h"
#include "tests/studio/studio_fixture.h"
#include "tests/support/shared_data.h"
#include "visualizers/events/event_model.h"
#include "visualizers/toolkit/text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace et::visualizers {

namespace {

using inspector::EventBlocks;

/// All text of a section; "" if it is missing.
QString sectionText(const Description& description, const QString& title) {
    const auto found = std::ranges::find_if(
        description.sections, [&](const DetailSection& section) { return section.title.startsWith(title); });
    QStringList lines;
    if (found != description.sections.end()) {
        for (const Detail& fact : found->info) {
            lines.append(fact.label + QStringLiteral(": ") + fact.text);
        }
    }
    return lines.join(u'\n');
}

/// The event with this name in the last block.
EventRef eventNamed(const EventBlocks& blocks, std::string_view name) {
    const auto& events = blocks.blocks().back().events;
    const auto found = std::ranges::find(events, name, &inspector::Event::name);
    EXPECT_NE(found, events.end()) << name;
    return {blocks.blocks().size() - 1, static_cast<std::size_t>(found - events.begin())};
}

std::shared_ptr<const EventBlocks> join(etdump::TraceWriter& writer) {
    const auto trace = etdump::Trace::parse(core::MappedFile::fromMemory(writer.finish().value()));
    EXPECT_TRUE(trace) << trace.error().toString();
    const auto blocks = EventBlocks::build(*trace);
    EXPECT_TRUE(blocks) << blocks.error().toString();
    return *blocks;
}

using EventDescriptionTest = test::StudioTest;

TEST_F(EventDescriptionTest, ShowsTraceDataWithoutOtherFiles) {
    const auto blocks = test::smallBlocks(3);
    const Description text = describeEvent(*blocks, {1, 2});
    EXPECT_EQ(text.title, QStringLiteral("Convolution (NHWC) #1"));
    EXPECT_EQ(text.subtitle, QStringLiteral("Inference · 3 samples"));
    EXPECT_TRUE(sectionText(text, QStringLiteral("Event"))
                    .contains(QStringLiteral("Delegate id: Convolution (NHWC) #1")));
    EXPECT_TRUE(
        sectionText(text, QStringLiteral("Event")).contains(QStringLiteral("Instruction: 1 of chain 0")));
    EXPECT_TRUE(sectionText(text, QStringLiteral("Statistics")).contains(QStringLiteral("p50: 3.001 µs")));
    EXPECT_EQ(sectionText(text, QStringLiteral("Samples")), QStringLiteral(": 3.000 µs, 3.001 µs, 3.002 µs"));
    EXPECT_EQ(sectionText(text, QStringLiteral("Python stack")), QString()) << "no record, no stack";
    EXPECT_TRUE(text.warnings.isEmpty());
}

TEST_F(EventDescriptionTest, ShowsSourceModulesAndValuesWithARecord) {
    const auto session = test::openSession(sample());
    const EventBlocks& blocks = *session->blocks;
    bool stack = false;
    bool modules = false;
    bool values = false;
    for (std::size_t event = 0; event < blocks.blocks().back().events.size(); ++event) {
        const Description text = describeEvent(blocks, {blocks.blocks().size() - 1, event});
        stack |= sectionText(text, QStringLiteral("Python stack")).contains(QStringLiteral("line "));
        modules |= sectionText(text, QStringLiteral("Modules")).contains(QStringLiteral("torch.nn.modules"));
        values |= sectionText(text, QStringLiteral("Logged values")).contains(QStringLiteral("shape ["));
    }
    EXPECT_TRUE(stack);
    EXPECT_TRUE(modules);
    EXPECT_TRUE(values);
}

TEST_F(EventDescriptionTest, RequestsTheFileThatNamesDelegatedOperators) {
    ET_NEEDS_SHARED_DATA();
    const std::filesystem::path data = test::sharedData();
    const auto session = test::openSession({.trace = data / "traces/mobilenet_v2_small_xnnpack/trace.etdp",
                                            .record = data / "programs/mobilenet_v2_small/xnnpack.etrecord"});
    const EventBlocks& blocks = *session->blocks;
    const EventRef event = eventNamed(blocks, "Convolution (NHWC, F32) IGEMM #1");
    const QString hint = toQString(inspector::missingProgramHint(*session));
    const QString text = sectionText(describeEvent(blocks, event, hint), QStringLiteral("Event"));
    EXPECT_TRUE(text.contains(QStringLiteral("unknown: add the program (.pte)"))) << text.toStdString();
    const QString alone = sectionText(describeEvent(blocks, event), QStringLiteral("Event"));
    EXPECT_TRUE(alone.contains(QStringLiteral("the delegate does not name this event")))
        << alone.toStdString();
}

TEST_F(EventDescriptionTest, CountsEqualOperators) {
    ET_NEEDS_SHARED_DATA();
    const std::filesystem::path data = test::sharedData();
    const auto session = test::openSession({.trace = data / "traces/mobilenet_v2_small_xnnpack/trace.etdp",
                                            .record = data / "programs/mobilenet_v2_small/xnnpack.etrecord"});
    const EventRef call = eventNamed(*session->blocks, "DELEGATE_CALL");
    const QString text = sectionText(describeEvent(*session->blocks, call), QStringLiteral("Event"));
    EXPECT_EQ(text.count(QStringLiteral("aten.convolution.default")), 1) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("aten.convolution.default ×52"))) << text.toStdString();
}

TEST_F(EventDescriptionTest, ShowsCounters) {
    const auto plain = test::smallBlocks(3);
    auto counts = std::make_shared<inspector::InstructionCounts>();
    inspector::CountsOfInstruction ofAll;
    ofAll[static_cast<std::size_t>(inspector::Counter::PageFaults)] = 2.5;
    counts->instructions.insert_or_assign({0, 0}, ofAll);
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("native_call_a.out", {.instruction = 0, .chain = 0}, 100, 200);
    const auto trace = etdump::Trace::parse(core::MappedFile::fromMemory(writer.finish().value()));
    ASSERT_TRUE(trace) << trace.error().toString();
    counts->trace = inspector::markOf(**trace);
    const auto blocks = EventBlocks::build(*trace, nullptr, nullptr, {.counts = counts});
    ASSERT_TRUE(blocks) << blocks.error().toString();
    const EventRef event = eventNamed(**blocks, "native_call_a.out");
    EXPECT_EQ(sectionText(describeEvent(**blocks, event), QStringLiteral("Counters, mean per run")),
              QStringLiteral("Page faults: 2.5"));
    EXPECT_EQ(sectionText(describeEvent(*plain, {1, 2}), QStringLiteral("Counters, mean per run")),
              QString());
    EventModel model;
    model.setBlocks(*blocks);
    EXPECT_EQ(model.indexOf(event).siblingAtColumn(EventModel::columnOf("page_faults")).data().toString(),
              QStringLiteral("2.5"));
    EXPECT_EQ(model.indexOf(event).siblingAtColumn(EventModel::columnOf("cycles")).data().toString(),
              QString());
    EXPECT_FALSE(EventModel::isInitiallyShown(EventModel::columnOf("page_faults")));
}

TEST_F(EventDescriptionTest, WarnsOfValuesThatDiffer) {
    etdump::TraceWriter writer;
    for (const std::int64_t value : {1, 2}) {
        writer.beginRun("Execute");
        writer.profile("native_call_a.out", {.instruction = 0, .chain = 0}, 1, 5);
        writer.debug("native_call_a.out", {.instruction = 0, .chain = 0}, {.value = value});
    }
    const auto blocks = join(writer);
    const Description text = describeEvent(*blocks, eventNamed(*blocks, "native_call_a.out"));
    ASSERT_EQ(text.warnings.size(), 1);
    EXPECT_TRUE(text.warnings.first().contains(QStringLiteral("differ between runs")));
    EXPECT_EQ(sectionText(text, QStringLiteral("Logged values")), QStringLiteral(": 1\n: 2"));
}

TEST_F(EventDescriptionTest, ShowsHostileTextAsText) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    const std::string name = "<img src=x>\x1b[31m\n<b>";
    const std::array metadata{std::byte{'<'}, std::byte{0}, std::byte{0xff}};
    writer.profile(name, {.instruction = 0, .chain = 0}, 1, 5, metadata);
    const auto blocks = join(writer);
    const Description text = describeEvent(*blocks, {0, 0});
    EXPECT_TRUE(text.title.contains(QStringLiteral("\\x1b")));
    const QString html = toHtml(text);
    EXPECT_FALSE(html.contains(QStringLiteral("<img")));
    EXPECT_TRUE(html.contains(QStringLiteral("&lt;img")));
    EXPECT_TRUE(
        sectionText(text, QStringLiteral("Delegate metadata")).contains(QStringLiteral("<\\x00\\xff")));
}

TEST_F(EventDescriptionTest, CutsLongLists) {
    const auto blocks = test::smallBlocks(5000);
    const QString samples = sectionText(describeEvent(*blocks, {1, 0}), QStringLiteral("Samples"));
    EXPECT_TRUE(samples.endsWith(QStringLiteral("… (4000 more)")));
}

}  // namespace

}  // namespace et::visualizers
