#include "visualizers/selection.h"

#include "etdump/writer.h"
#include "tests/studio/studio_fixture.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace et::visualizers {

namespace {

std::shared_ptr<const inspector::Session> sessionOf(std::shared_ptr<const inspector::EventBlocks> blocks) {
    auto session = std::make_shared<inspector::Session>();
    session->blocks = std::move(blocks);
    return session;
}

TEST(Selection, HoldsOnlyEventsOfItsSession) {
    OpenSession opened;
    Selection selection(opened);
    selection.setCurrent(EventRef{0, 0});
    EXPECT_EQ(selection.current(), std::nullopt) << "nothing is open";
    opened.open(sessionOf(test::smallBlocks()));
    selection.setCurrent(EventRef{1, 2});
    ASSERT_NE(selection.currentEvent(), nullptr);
    EXPECT_EQ(selection.currentEvent()->name, "Convolution (NHWC) #1");
    EXPECT_EQ(selection.currentBlock()->name, "Execute");
    selection.setCurrent(EventRef{1, 99});
    EXPECT_EQ(selection.current(), std::nullopt);
    EXPECT_EQ(selection.currentEvent(), nullptr);
}

TEST(Selection, SignalsEachChangeOnce) {
    OpenSession opened;
    Selection selection(opened);
    opened.open(sessionOf(test::smallBlocks()));
    const QSignalSpy changes(&selection, &Selection::currentChanged);
    selection.setCurrent(EventRef{1, 2});
    selection.setCurrent(EventRef{1, 2});
    EXPECT_EQ(changes.count(), 1);
}

TEST(Selection, IsUpdatedBeforeViewsAndSignalsAfterwards) {
    OpenSession opened;
    Selection selection(opened);
    opened.open(sessionOf(test::smallBlocks()));
    selection.setCurrent(EventRef{1, 2});
    QStringList order;
    const QObject view;
    QObject::connect(&opened, &OpenSession::changed, &view, [&] {
        order.append(QStringLiteral("session"));
        EXPECT_EQ(selection.current(), std::nullopt) << "nothing of the session before is left";
    });
    QObject::connect(&selection, &Selection::currentChanged, &view,
                     [&] { order.append(QStringLiteral("choice")); });
    opened.open(nullptr);
    EXPECT_EQ(order, (QStringList{QStringLiteral("session"), QStringLiteral("choice")}));
}

TEST(Selection, KeepsTheChoiceWhenTheSameEventIsThereAgain) {
    OpenSession opened;
    Selection selection(opened);
    opened.open(sessionOf(test::smallBlocks(3)));
    selection.setCurrent(EventRef{1, 2});
    opened.open(sessionOf(test::smallBlocks(4)));
    EXPECT_EQ(selection.current(), (EventRef{1, 2}));
    opened.open(nullptr);
    EXPECT_EQ(selection.current(), std::nullopt);
}

class SelectionOfFiles : public test::StudioTest {};

TEST_F(SelectionOfFiles, SelectedDebugHandlesSelectTheBestMatchingEvent) {
    OpenSession opened;
    Selection selection(opened);
    opened.open(test::openSession(sample()));
    const inspector::EventBlocks& blocks = *opened.blocks();
    std::size_t tried = 0;
    for (const inspector::Block& block : blocks.blocks()) {
        for (const inspector::Event& event : block.events) {
            if (!event.handles.empty()) {
                selection.setHandles(std::string(block.method), {event.handles.begin(), event.handles.end()});
                ASSERT_NE(selection.currentEvent(), nullptr) << event.name;
                EXPECT_TRUE(std::ranges::equal(selection.currentEvent()->handles, event.handles))
                    << event.name;
                EXPECT_FALSE(selection.currentEvent()->name.starts_with("Method::"))
                    << "the runtime's own, with the number of the first instruction";
                ++tried;
            }
        }
    }
    EXPECT_GT(tried, 0U);
}

TEST(Selection, DebugHandlesOfNoEventAreChosenAlone) {
    OpenSession opened;
    Selection selection(opened);
    opened.open(sessionOf(test::smallBlocks()));
    selection.setHandles("forward", {core::DebugHandle(4711), core::DebugHandle(4711)});
    EXPECT_EQ(selection.current(), std::nullopt) << "no event has it";
    ASSERT_EQ(selection.currentHandles().size(), 1U);
    EXPECT_EQ(selection.currentHandles().front(), core::DebugHandle(4711));
    selection.setCurrent(EventRef{1, 0});
    EXPECT_TRUE(selection.currentHandles().empty()) << "an event brings its own: none here";
}

TEST(Selection, AnEventAndItsInstructionAreChosenTogether) {
    OpenSession opened;
    Selection selection(opened);
    opened.open(sessionOf(test::smallBlocks()));
    selection.setCurrent(EventRef{1, 2});
    ASSERT_TRUE(selection.currentOperator());
    EXPECT_EQ(selection.currentOperator()->instruction, core::InstructionId(1));
    selection.setOperator({.method = "forward", .instruction = core::InstructionId(0)});
    ASSERT_NE(selection.currentEvent(), nullptr);
    EXPECT_EQ(selection.currentEvent()->name, "native_call_add.out");
    selection.setOperator({.method = "forward", .instruction = core::InstructionId(77)});
    EXPECT_EQ(selection.currentEvent(), nullptr) << "the trace has no such instruction";
    EXPECT_EQ(selection.currentOperator()->instruction, core::InstructionId(77));
    selection.setCurrent(std::nullopt);
    selection.setCurrent(EventRef{0, 0});
    EXPECT_EQ(selection.currentOperator(), std::nullopt) << "Method::init is no instruction";
}

TEST(Selection, DelegatedOperatorsAreSelectedIndividually) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("", {.instruction = 1, .chain = 0, .delegateString = "Transpose #1"}, 0, 10);
    writer.profile("", {.instruction = 1, .chain = 0, .delegateString = "IGEMM #1"}, 10, 20);
    writer.profile("DELEGATE_CALL", {.instruction = 1, .chain = 0}, 0, 20);
    const auto trace = etdump::Trace::parse(core::MappedFile::fromMemory(writer.finish().value())).value();
    OpenSession opened;
    Selection selection(opened);
    opened.open(sessionOf(inspector::EventBlocks::build(trace).value()));
    const auto chosenBy = [&](const OperatorRef& which) {
        selection.setOperator(which);
        return selection.currentEvent() == nullptr ? std::string()
                                                   : std::string(selection.currentEvent()->name);
    };
    const core::InstructionId call(1);
    EXPECT_EQ(chosenBy({.method = "forward", .instruction = call, .delegated = "IGEMM #1"}), "IGEMM #1");
    EXPECT_EQ(chosenBy({.method = "forward", .instruction = call}), "DELEGATE_CALL");
    EXPECT_EQ(chosenBy({.method = "forward", .instruction = call, .delegated = "GEMM #9"}), "DELEGATE_CALL")
        << "of another trace";
    selection.setOperator({.method = "forward", .instruction = call, .delegated = "Transpose #1"});
    const Choice choice = selection.choice();
    selection.setCurrent({});
    selection.setChoice(choice);
    EXPECT_EQ(selection.currentOperator()->delegated, "Transpose #1");
}

TEST(Selection, ARangeIsOfItsTrace) {
    OpenSession opened;
    Selection selection(opened);
    const auto session = sessionOf(test::smallBlocks());
    opened.open(session);
    const QSignalSpy changes(&selection, &Selection::rangeChanged);
    selection.setRange(TickRange{5, 10});
    selection.setRange(TickRange{5, 10});
    EXPECT_EQ(changes.count(), 1);
    auto otherUnit = std::make_shared<inspector::Session>(*session);
    opened.open(otherUnit);
    EXPECT_EQ(selection.range(), (TickRange{5, 10})) << "the same trace";
    opened.open(nullptr);
    EXPECT_EQ(selection.range(), std::nullopt);
}

TEST(Selection, DirectSelectionBelongsToItsModel) {
    OpenSession opened;
    Selection selection(opened);
    auto session = std::make_shared<inspector::Session>();
    session->files.program = "model.pte";
    opened.open(session);
    const OperatorRef chosen{.method = "forward", .instruction = core::InstructionId(7)};
    const std::vector handles{core::DebugHandle(3), core::DebugHandle(5)};
    selection.setOperator(chosen);
    opened.open(std::make_shared<inspector::Session>(*session));
    EXPECT_EQ(selection.currentOperator(), chosen) << "read again";
    selection.setHandles("forward", handles);
    opened.open(std::make_shared<inspector::Session>(*session));
    EXPECT_TRUE(std::ranges::equal(selection.currentHandles(), handles)) << "read again";
    session->files.program = "another.pte";
    opened.open(session);
    EXPECT_TRUE(selection.currentHandles().empty());
    EXPECT_EQ(selection.currentOperator(), std::nullopt);
}

TEST(Selection, HoldsOnlyCasesOfItsBundle) {
    auto bundle = std::make_shared<bundled_program::Bundle>();
    bundle->suites = {{.method = "forward", .cases = {{}, {}}}};
    auto session = std::make_shared<inspector::Session>();
    session->bundle = bundle;
    OpenSession opened;
    Selection selection(opened);
    selection.setCase(CaseRef{0, 0});
    EXPECT_EQ(selection.currentCase(), std::nullopt) << "nothing is open";
    opened.open(session);
    selection.setCase(CaseRef{0, 1});
    EXPECT_EQ(selection.currentCase(), (CaseRef{0, 1}));
    selection.setCase(CaseRef{0, 2});
    EXPECT_EQ(selection.currentCase(), std::nullopt);
}

}  // namespace

}  // namespace et::visualizers
