// Tests of trying out the cost of quantizing each part of a float model in the window.
#include "app/studio/lab/lab_panel.h"

#include "app/samples/sample_set.h"
#include "app/studio/card_page.h"
#include "app/studio/graph/graph_panel.h"
#include "app/studio/lab/lab_known_sites.h"
#include "app/studio/panel_area.h"
#include "app/studio/session_saver.h"
#include "tests/studio/lab_panel_fixture.h"
#include "tests/studio/pictures.h"
#include "tests/studio/settled.h"
#include "tests/support/shared_data.h"
#include "visualizers/graph/graph_canvas.h"
#include "visualizers/lab/candidate_rows.h"
#include "visualizers/lab/lab_text.h"
#include "visualizers/lab/pareto_widget.h"
#include "visualizers/lab/site_model.h"
#include "visualizers/toolkit/report_table.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QPixmap>
#include <QPushButton>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace et::test {

namespace {

using visualizers::addCandidates;
using visualizers::LabCandidate;
using visualizers::LabChoice;
using visualizers::LabPrediction;
using visualizers::LabScheme;
using visualizers::LabStudy;
using visualizers::readLabCandidates;
using visualizers::readLabStudy;
using visualizers::SiteModel;

TEST(LabStudy, ReportsReadErrors) {
    EXPECT_FALSE(readLabStudy("{}"));
    EXPECT_FALSE(readLabStudy("not JSON"));
    EXPECT_FALSE(readLabStudy(R"({"schema": 1, "sites": []})")) << "without the error of all";
    const LabStudy study = madeUpStudy();
    ASSERT_EQ(study.sites.size(), 3U);
    EXPECT_NEAR(study.all, 0.01, 1e-9);
    EXPECT_EQ(study.sites[1].allBut, 0.0) << "null: the outputs are equal";
    EXPECT_FALSE(study.sites[1].weight);
    EXPECT_FALSE(study.sites[2].canChoose());
    const auto other = readLabCandidates(
        R"({"schema": 1, "points": [{"in_float": ["conv9"], "sqnr_db": 3, "bytes": 1, "time_ms": null}]})",
        study);
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("conv9"), std::string::npos) << other.error().message;
    EXPECT_FALSE(visualizers::readLabProgram(R"({"schema": 1, "sites": [], "outputs": null})"));
    EXPECT_FALSE(visualizers::readLabTime(R"({"schema": 1, "models": []})"));
}

TEST(LabPrediction, SumsMeasuredSites) {
    const LabStudy study = madeUpStudy();
    const LabChoice all = sameChoice(study, LabScheme::Static8);
    const LabChoice none = sameChoice(study, LabScheme::Float);
    std::vector<LabCandidate> known;
    addCandidates(known, {{.choice = all, .figures = {.noise = 0.011, .bytes = 2000, .milliseconds = 1}},
                          {.choice = none, .figures = {.noise = 0, .bytes = 5300, .milliseconds = 3}}});
    const LabPrediction prediction(study, {3, 1, 0}, known);
    EXPECT_NEAR(*prediction.of(all).noise, study.all, 1e-12) << "all together are as measured";
    EXPECT_EQ(*prediction.of(none).noise, 0);
    const auto half = prediction.of({LabScheme::Float, LabScheme::Static8, LabScheme::Float});
    const double share = *study.sites[1].only / (*study.sites[0].only + *study.sites[1].only);
    EXPECT_NEAR(*half.noise, study.all * share, 1e-12);
    EXPECT_EQ(*half.bytes, 2300) << "the nearest measured program, and three of four bytes of a weight";
    EXPECT_NEAR(*half.milliseconds, 2.5, 1e-9) << "by the shares of the trace, which has no third site";
    // Newer timings override the trace.
    addCandidates(known, {{.choice = {LabScheme::Float, LabScheme::Static8, LabScheme::Float},
                           .figures = {.milliseconds = 1.5}}});
    const double now = *LabPrediction(study, {3, 1, 0}, known)
                            .of({LabScheme::Float, LabScheme::Static8, LabScheme::Float})
                            .milliseconds;
    EXPECT_LT(std::abs(now - 1.5), 0.5);
    EXPECT_FALSE(LabPrediction(study, {}, {}).of(all).bytes) << "nothing was measured";
}

TEST(SiteModel, SkipsUnsupportedSchemes) {
    SiteModel model;
    const QAbstractItemModelTester tester(&model);
    model.setStudy(std::make_shared<const LabStudy>(madeUpStudy()));
    int edits = 0;
    QObject::connect(&model, &SiteModel::choiceEdited, &model, [&] { ++edits; });
    const QModelIndex first = model.index(0, SiteModel::Scheme);
    EXPECT_EQ(first.data().toString(), QStringLiteral("w8a8-static"));
    EXPECT_EQ(first.data(SiteModel::SchemesRole).toStringList(),
              (QStringList{QStringLiteral("w8a8-static"), QStringLiteral("float")}))
        << "a study of before does not say more";
    EXPECT_TRUE(model.setData(first, QStringLiteral("float"), Qt::EditRole));
    EXPECT_EQ(model.choice()[0], LabScheme::Float);
    EXPECT_FALSE(model.setData(first, QStringLiteral("fp16"), Qt::EditRole)) << "it cannot have it";
    EXPECT_FALSE(model.setData(first, QStringLiteral("fp64"), Qt::EditRole));
    const QModelIndex fixed = model.index(2, SiteModel::Scheme);
    EXPECT_FALSE(fixed.flags().testFlag(Qt::ItemIsEditable)) << "it has a rule";
    model.nextScheme({0, 2});
    EXPECT_EQ(model.choice(), sameChoice(madeUpStudy(), LabScheme::Static8));
    EXPECT_EQ(edits, 2);
    EXPECT_EQ(model.index(0, SiteModel::Only).data().toString(), QStringLiteral("23.00"));
    EXPECT_TRUE(model.index(0, 0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("net.py:3")));
}

TEST_F(LabPanelTest, ShowsMissingFilesAndOffersToOpenThem) {
    EXPECT_TRUE(headline().contains(QStringLiteral("Open the ETRecord of a float model")))
        << headline().toStdString();
    driver.open({file(".pte")});
    driver.enterPerspective("lab");
    ASSERT_TRUE(settle(driver.window()));
    QWidget* card = nullptr;
    for (QFrame* const each : panel.findChildren<QFrame*>()) {
        card = each->accessibleName() == QStringLiteral("Float model") ? each : card;
    }
    ASSERT_TRUE(card != nullptr);
    const int middle = card->mapTo(&panel, card->rect().center()).x();
    EXPECT_NEAR(middle, panel.rect().center().x(), 4) << "cards that are hidden take no place";
    driver.open({file(".pte"), file(".etrecord")});
    driver.enterPerspective("lab");
    EXPECT_TRUE(panel.hasContent());
    panel.setFocus();
    driver.press(Qt::Key_F9);
    EXPECT_EQ(panel.views().jobs.running(), studio::LabJobs::Kind::None)
        << "there are no inputs to calibrate on";
    chooseCalibration(file(".bpte"));
    study();
    EXPECT_GT(panel.views().sites.sites().rowCount(), 1);
}

TEST_F(LabPanelTest, ShowsTheSitesOfTheRecordBeforeAnyMeasurement) {
    openModel();
    auto& known = panel.views().start.knownSites();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !known.busy(); }, 30'000));
    EXPECT_TRUE(WindowDriver::onScreen(known.view()));
    EXPECT_EQ(panel.views().jobs.running(), studio::LabJobs::Kind::None) << "nothing runs for it";
    EXPECT_TRUE(headline().contains(QStringLiteral("sites can be int8"))) << headline().toStdString();
    SiteModel& before = known.model();
    ASSERT_GT(before.rowCount(), 1);
    const QModelIndex last = known.view().model()->index(before.rowCount() - 1, 0);
    known.view().setCurrentIndex(last);
    EXPECT_FALSE(driver.window().selection().currentHandles().empty()) << "a site is chosen in all views";
    study();
    ASSERT_EQ(panel.views().sites.sites().rowCount(), before.rowCount()) << "they are what a study measures";
    for (int row = 0; row < before.rowCount(); ++row) {
        for (const int column :
             {SiteModel::Site, SiteModel::Scheme, SiteModel::Saved, SiteModel::Module, SiteModel::Operator}) {
            EXPECT_EQ(before.index(row, column).data(),
                      panel.views().sites.sites().index(row, column).data());
        }
        EXPECT_EQ(before.index(row, SiteModel::Scheme).data(SiteModel::SchemesRole),
                  panel.views().sites.sites().index(row, SiteModel::Scheme).data(SiteModel::SchemesRole));
        EXPECT_EQ(before.index(row, SiteModel::Only).data().toString(), QString());
    }
}

TEST_F(LabPanelTest, PredictsAtOnceAndMeasuresBehind) {
    openModel();
    study();
    ASSERT_GT(panel.views().sites.sites().rowCount(), 1);
    EXPECT_EQ(panel.views().experiment.candidates().size(), 2U) << "all in int8, and all in float";
    EXPECT_TRUE(figuresSay("measured")) << panel.views().result.figures().text().toStdString();
    EXPECT_FALSE(figuresSay("predicted"));
    // The most sensitive site is on top; Space toggles it.
    panel.views().sites.setFocus();
    panel.views().sites.setCurrentIndex(panel.views().sites.model()->index(0, 0));
    driver.press(Qt::Key_Space);
    EXPECT_TRUE(figuresSay("predicted; measuring")) << "a prediction is there before any event is processed: "
                                                    << panel.views().result.figures().text().toStdString();
    EXPECT_EQ(std::ranges::count(panel.views().sites.sites().choice(), LabScheme::Float), 1);
    EXPECT_EQ(panel.views().result.plot().content()->points().back().candidate, std::nullopt)
        << "a diamond for it";
    const double predicted = panel.views().result.plot().content()->points().back().cost;
    wait();
    EXPECT_FALSE(figuresSay("predicted")) << panel.views().result.figures().text().toStdString();
    ASSERT_EQ(panel.views().experiment.candidates().size(), 3U);
    const auto& measured = panel.views().experiment.candidates().back().figures;
    ASSERT_TRUE(measured.noise && measured.bytes && measured.milliseconds);
    EXPECT_LT(*measured.noise, *panel.views().experiment.candidates().front().figures.noise)
        << "less error than all in int8";
    EXPECT_NEAR(predicted, *measured.bytes, 0.15 * *measured.bytes)
        << "of so small a program conversions around the site are a tenth";
    EXPECT_EQ(
        panel.views().result.plot().chosenPoint(),
        panel.views().result.plot().content()->pointOf(panel.views().experiment.candidates().size() - 1));
}

TEST_F(LabPanelTest, APointIsChosenSavedAndOpened) {
    openModel();
    study();
    driver.trigger(QStringLiteral("All in Float"));
    EXPECT_EQ(std::ranges::count(panel.views().sites.sites().choice(), LabScheme::Static8), 0);
    const auto point = panel.views().result.plot().content()->pointOf(0);
    ASSERT_TRUE(point);
    const QPoint at = panel.views().result.plot().placeOf(*point).toPoint();
    EXPECT_TRUE(panel.views().result.plot().tipAt(at).contains(QStringLiteral("in float: none")))
        << panel.views().result.plot().tipAt(at).toStdString();
    QTest::mouseClick(&panel.views().result.plot(), Qt::LeftButton, {}, at);
    EXPECT_EQ(panel.views().sites.sites().choice(), panel.views().experiment.candidates().front().choice);
    EXPECT_TRUE(panel.views().result.plot().spokenValue().contains(QStringLiteral("in float: none")));
    wait();
    saveProgram(folder() / "mine.pte");
    for (const char* const name : {"mine.pte", "mine.etrecord", "mine.py"}) {
        EXPECT_TRUE(fs::exists(folder() / name)) << name;
    }
    QFile recipe(QString::fromStdString((folder() / "mine.py").string()));
    ASSERT_TRUE(recipe.open(QIODevice::ReadOnly));
    EXPECT_TRUE(recipe.readAll().contains("def quantize(model, calibration):"));
    EXPECT_EQ(static_cast<double>(fs::file_size(folder() / "mine.pte")),
              *panel.views().experiment.candidates().front().figures.bytes);
    driver.trigger(QStringLiteral("Open This Program"));
    driver.waitUntilIdle();
    ASSERT_TRUE(driver.window().opened().session()->program);
    EXPECT_FALSE(panel.hasContent()) << "its record is quantized";
    EXPECT_TRUE(headline().contains(QStringLiteral("already quantized"))) << headline().toStdString();
    driver.open({file(".pte"), file(".etrecord")});
    EXPECT_FALSE(panel.views().experiment.candidates().empty()) << "the study has stayed";
    EXPECT_TRUE(figuresSay("measured"));
}

TEST_F(LabPanelTest, ASearchFillsThePlot) {
    openModel();
    study();
    const QSignalSpy found(&panel.views().jobs, &studio::LabJobs::found);
    auto& error = *panel.findChild<QLineEdit*>(QStringLiteral("labErrorBudget"));
    error.setText(QStringLiteral("much"));
    driver.press(Qt::Key_F9, Qt::ShiftModifier);
    EXPECT_EQ(panel.views().jobs.running(), studio::LabJobs::Kind::None);
    EXPECT_EQ(driver.errors().size(), 1) << "it is no number";
    error.setText(QStringLiteral("50 %"));
    panel.setFocus();
    driver.press(Qt::Key_F9, Qt::ShiftModifier);
    EXPECT_EQ(panel.views().jobs.running(), studio::LabJobs::Kind::Search);
    wait();
    EXPECT_GT(found.size(), 1) << "points appear during the search";
    EXPECT_TRUE(figuresSay("the best program found within the budget"));
    EXPECT_LE(panel.views().experiment.figuresOf(panel.views().sites.choice()).noise.value_or(1), 0.25);
    for (const char* const text : {"Save This Program…", "Compare with the Open Program"}) {
        const auto buttons = panel.findChildren<QPushButton*>();
        EXPECT_TRUE(std::ranges::any_of(buttons, [&](const QPushButton* each) {
            return each->text() == QString::fromUtf8(text) && each->isEnabled() &&
                   WindowDriver::onScreen(*each);
        })) << text;
    }
    EXPECT_GT(panel.views().experiment.candidates().size(), 3U);
    EXPECT_EQ(panel.views().result.programs().model().rows().table.rows.size(),
              panel.views().experiment.candidates().size());
    EXPECT_GT(panel.views().result.plot().content()->points().size(), 3U);
    const auto savePlot = [this](const char* name) {
        driver.trigger(QStringLiteral("Save the Plot as SVG or PNG…"));
        chooseInFileDialog(folder() / name);
        return QString::fromStdString((folder() / name).string());
    };
    QFile drawing(savePlot("plot.svg"));
    ASSERT_TRUE(drawing.open(QIODevice::ReadOnly));
    const QByteArray svg = drawing.readAll();
    EXPECT_TRUE(QSvgRenderer(svg).isValid());
    EXPECT_TRUE(svg.contains("<title>Programs by error and cost</title>"));
    EXPECT_FALSE(svg.contains("prefers-color-scheme")) << "the same in every theme";
    EXPECT_FALSE(QImage(savePlot("plot.png")).isNull());
    EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u'\n').toStdString();
    EXPECT_FALSE(QFile::exists(savePlot("plot.gif")));
    EXPECT_EQ(driver.errors().size(), 1) << "it is no format";
}

TEST_F(LabPanelTest, ASessionKeepsTheStudy) {
    const QByteArray before = qgetenv("XDG_CACHE_HOME");
    qputenv("XDG_CACHE_HOME", QByteArray::fromStdString((folder() / "cache").string()));
    openModel();
    study();
    panel.views().sites.setFocus();
    panel.views().sites.setCurrentIndex(panel.views().sites.model()->index(0, 0));
    driver.press(Qt::Key_Space);
    wait();
    const LabChoice choice = panel.views().sites.sites().choice();
    const auto candidates = panel.views().experiment.candidates();
    ASSERT_EQ(candidates.size(), 3U);
    const fs::path saved = folder() / "saved.db";
    driver.press(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
    chooseInFileDialog(saved);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !driver.window().saver().busy(); }, 60'000));
    WindowDriver other;
    other.open({saved});
    other.enterPerspective("lab");
    auto& again = *other.window().findChild<studio::LabPanel*>();
    EXPECT_TRUE(QTest::qWaitFor([&] { return again.idle(); }, 60'000));
    EXPECT_EQ(again.views().sites.sites().rowCount(), panel.views().sites.sites().rowCount());
    EXPECT_EQ(again.views().sites.sites().choice(), choice);
    ASSERT_EQ(again.views().experiment.candidates().size(), candidates.size())
        << "nothing was measured again";
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        EXPECT_EQ(again.views().experiment.candidates()[i].choice, candidates[i].choice);
        EXPECT_NEAR(*again.views().experiment.candidates()[i].figures.noise, *candidates[i].figures.noise,
                    1e-12);
        EXPECT_EQ(again.views().experiment.candidates()[i].figures.bytes, candidates[i].figures.bytes);
        EXPECT_EQ(again.views().experiment.candidates()[i].figures.milliseconds,
                  candidates[i].figures.milliseconds);
    }
    EXPECT_TRUE(again.views().result.figures().text().contains(QStringLiteral("measured")))
        << again.views().result.figures().text().toStdString();
    // A different model has none of these results.
    ASSERT_TRUE(samples::writeSampleSet("add_mul", folder()));
    other.open({folder() / "add_mul.pte", folder() / "add_mul.etrecord"});
    EXPECT_TRUE(again.findChild<studio::CardPage*>()->isVisibleTo(&again));
    qputenv("XDG_CACHE_HOME", before);
}

TEST_F(LabPanelTest, SitesAreChosenInAllViews) {
    openModel();
    study();
    ASSERT_TRUE(driver.window().results().siteErrors());
    auto& graph = *driver.window().findChild<studio::GraphPanel*>();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !graph.busy() && graph.canvas().scene(); }, 30'000));
    EXPECT_EQ(graph.canvas().colours().title, "output error with one site in int8");
    EXPECT_TRUE(
        std::ranges::any_of(graph.canvas().colours().fills, [](const auto& each) { return !each.empty(); }));
    const QModelIndex last =
        panel.views().sites.model()->index(panel.views().sites.model()->rowCount() - 1, 0);
    panel.views().sites.setCurrentIndex(last);
    const auto handles = driver.window().selection().currentHandles();
    ASSERT_FALSE(handles.empty());
    const std::vector<core::DebugHandle> kept(handles.begin(), handles.end());
    panel.views().sites.setCurrentIndex(panel.views().sites.model()->index(0, 0));
    driver.window().selection().setHandles("forward", kept);
    EXPECT_EQ(panel.views().sites.currentIndex().row(), last.row()) << "and the other way round";
    panel.views().sites.setFocus();
    driver.press(Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(QApplication::clipboard()->text().startsWith(QStringLiteral("| site")))
        << QApplication::clipboard()->text().toStdString();
}

TEST_F(LabPanelTest, ReportsCrashAndCancelsHang) {
    openModel();
    useScript("#!/bin/sh\nkill -SEGV $$\n");
    panel.setFocus();
    driver.press(Qt::Key_F9);
    wait();
    EXPECT_TRUE(headline().contains(QStringLiteral("crashed"))) << headline().toStdString();
    useScript("#!/bin/sh\nexec sleep 1000\n");
    driver.press(Qt::Key_F9);
    EXPECT_EQ(panel.views().jobs.running(), studio::LabJobs::Kind::Study);
    driver.press(Qt::Key_Period, Qt::ControlModifier);
    wait();
    EXPECT_EQ(panel.views().sites.sites().rowCount(), 0);
}

TEST_F(LabPanelTest, FailedMeasurementIsReportedOnce) {
    openModel();
    useScript(std::string("#!/bin/sh\ncase $1 in sensitivity) cat << 'END'\n") + madeUpSensitivity +
              "\nEND\n;; *) echo 'no room on the disk' >&2; exit 3;; esac\n");
    panel.setFocus();
    driver.press(Qt::Key_F9);
    wait();
    EXPECT_EQ(panel.views().sites.sites().rowCount(), 3);
    EXPECT_TRUE(figuresSay("no room on the disk")) << panel.views().result.figures().text().toStdString();
    EXPECT_TRUE(panel.views().experiment.candidates().empty());
}

TEST_F(LabPanelTest, TakesItsPictureOfARealModel) {
    ET_NEEDS_SHARED_DATA();
    const fs::path model = sharedData() / "quant" / "resnet8";
    if (!fs::exists(model)) {
        GTEST_SKIP() << "no models with measured truth";
    }
    driver.open({model / "float.pte", model / "float.etrecord"});
    driver.enterPerspective("lab");
    chooseCalibration(model / "calibration.npz");
    chooseEvaluation(model / "evaluation.npz");
    study();
    ASSERT_EQ(panel.views().sites.sites().rowCount(), 14);
    EXPECT_EQ(panel.views().sites.model()->index(0, 0).data().toString(), QStringLiteral("linear"));
    driver.press(Qt::Key_F9, Qt::ShiftModifier);
    wait();
    // The head in float: 8 dB better, as in real conversions.
    panel.views().sites.setFocus();
    panel.views().sites.setCurrentIndex(row(QStringLiteral("linear")));
    driver.trigger(QStringLiteral("All in int8"));
    driver.press(Qt::Key_Space);
    wait();
    const auto candidate =
        visualizers::candidateOf(panel.views().experiment.candidates(), panel.views().sites.sites().choice());
    ASSERT_TRUE(candidate);
    EXPECT_NEAR(-10 * std::log10(*panel.views().experiment.candidates()[*candidate].figures.noise), 35.36,
                0.5);
    auto& graph = *driver.window().findChild<studio::GraphPanel*>();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !graph.busy(); }, 60'000));
    takePictures(driver, "lab");
    for (const QSize size : {QSize(1024, 700), QSize(1920, 1080)}) {
        driver.window().resize(size);
        ASSERT_TRUE(settle(driver.window()));
        const fs::path picture =
            fs::path(ET_SCREENSHOT_BUILD_DIR) / ("lab_" + std::to_string(size.width()) + ".png");
        EXPECT_TRUE(driver.window().grab().save(QString::fromStdString(picture.string())));
    }
}

}  // namespace

}  // namespace et::test
