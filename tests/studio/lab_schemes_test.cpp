// Tests of schemes per site of the Lab: prediction, saving, and choosing them in the window.
#include "app/studio/compare/compare_panel.h"
#include "tests/studio/lab_panel_fixture.h"
#include "visualizers/lab/lab_prediction.h"
#include "visualizers/lab/lab_text.h"
#include "visualizers/lab/pareto_widget.h"
#include "visualizers/lab/site_model.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QFile>

#include <algorithm>
#include <cmath>

namespace et::test {

namespace {

using visualizers::addCandidates;
using visualizers::candidateOf;
using visualizers::LabCandidate;
using visualizers::LabChoice;
using visualizers::LabPrediction;
using visualizers::LabScheme;
using visualizers::LabStudy;
using visualizers::readLabCandidates;
using visualizers::SiteModel;

/// The made-up study, with all schemes allowed for its first two sites.
LabStudy studyOfSchemes() {
    QByteArray json(madeUpSensitivity);
    json.replace("\"cause\"", R"("schemes": ["w8a8-static", "w8a8-dynamic", "w8", "w4a8-dynamic:32", "fp16",
                                             "of tomorrow"], "cause")");
    const auto read = visualizers::readLabStudy(json);
    EXPECT_TRUE(read);
    return *read;
}

TEST(LabScheme, IsKeptByItsName) {
    for (const LabScheme each : visualizers::labSchemes) {
        EXPECT_EQ(visualizers::parseLabScheme(visualizers::labSchemeName(each)), each);
    }
    EXPECT_FALSE(visualizers::parseLabScheme(QStringLiteral("w4a8-dynamic:64")));
    const LabStudy study = studyOfSchemes();
    EXPECT_EQ(study.sites[0].schemes.size(), visualizers::labSchemes.size());
    EXPECT_EQ(study.sites[2].schemes, std::vector{LabScheme::Float}) << "it has a rule";
    const LabChoice mixed{LabScheme::Half, LabScheme::Dynamic4, LabScheme::Float};
    const QStringList entries = schemeEntries(study, mixed);
    EXPECT_EQ(entries,
              (QStringList{QStringLiteral("conv2d=fp16"), QStringLiteral("linear=w4a8-dynamic:32")}));
    EXPECT_EQ(choiceOfEntries(study, entries), mixed);
    // Older sessions list the sites in float; an older study has no other schemes.
    EXPECT_EQ(choiceOfEntries(study, {QStringLiteral("linear")}),
              (LabChoice{LabScheme::Static8, LabScheme::Float, LabScheme::Float}));
    EXPECT_EQ(choiceOfEntries(madeUpStudy(), entries), sameChoice(study, LabScheme::Static8));
    EXPECT_EQ(choiceOfEntries(study, {QStringLiteral("conv2d=fp64"), QStringLiteral("mul=fp16")}),
              sameChoice(study, LabScheme::Static8));
    EXPECT_TRUE(visualizers::labChoiceText(study, mixed).contains(QStringLiteral("fp16: conv2d")));
}

TEST(LabCandidates, KeepTheirSchemes) {
    const LabStudy study = studyOfSchemes();
    std::vector<LabCandidate> all;
    addCandidates(all, {{.choice = sameChoice(study, LabScheme::Static8),
                         .figures = {.noise = 0.01, .bytes = 10, .milliseconds = 1}},
                        {.choice = {LabScheme::Weights8, LabScheme::Float, LabScheme::Float},
                         .figures = {.noise = 0, .bytes = 12, .milliseconds = {}}}});
    const QByteArray json = labCandidatesJson(study, all);
    const auto read = readLabCandidates(json, study);
    ASSERT_TRUE(read);
    ASSERT_EQ(read->size(), 2U);
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ((*read)[i].choice, all[i].choice);
        EXPECT_EQ((*read)[i].figures.bytes, all[i].figures.bytes);
    }
    // Format of a search: each site with its scheme.
    const auto found = readLabCandidates(
        R"({"schema": 1, "points": [], "other_schemes": [{"in_float": ["mul"], "sqnr_db": 30, "bytes": 9,
            "time_ms": null, "schemes": {"conv2d": "w8", "linear": "fp16", "mul": "float"}}]})",
        study);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->front().choice, (LabChoice{LabScheme::Weights8, LabScheme::Half, LabScheme::Float}));
    const auto unknown = readLabCandidates(
        R"({"schema": 1, "points": [], "other_schemes": [{"schemes": {"conv2d": "w2"}}]})", study);
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("conv2d"), std::string::npos) << unknown.error().message;
}

TEST(LabPrediction, LearnsOtherSchemesFromPrograms) {
    const LabStudy study = studyOfSchemes();
    std::vector<LabCandidate> known;
    addCandidates(known, {{.choice = sameChoice(study, LabScheme::Static8),
                           .figures = {.noise = 0.01, .bytes = 2000, .milliseconds = 1}},
                          {.choice = sameChoice(study, LabScheme::Float),
                           .figures = {.noise = 0, .bytes = 5300, .milliseconds = 3}}});
    const LabChoice halfHead{LabScheme::Float, LabScheme::Half, LabScheme::Float};
    const auto before = LabPrediction(study, {}, known).of(halfHead);
    EXPECT_FALSE(before.noise);
    EXPECT_FALSE(before.milliseconds);
    EXPECT_EQ(*before.bytes, 5300 - 2000) << "half of a weight is half of its bytes";
    addCandidates(known,
                  {{.choice = halfHead, .figures = {.noise = 0.0001, .bytes = 3310, .milliseconds = 2.5}}});
    // The head as measured, the convolution as in the study.
    const LabPrediction prediction(study, {}, known);
    const LabChoice both{LabScheme::Static8, LabScheme::Half, LabScheme::Float};
    const double share = *study.sites[0].only / (*study.sites[0].only + *study.sites[1].only);
    EXPECT_NEAR(*prediction.of(both).noise, study.all * share + 0.0001, 1e-12);
    EXPECT_NEAR(*prediction.of(halfHead).milliseconds, 2.5, 1e-9);
    EXPECT_NEAR(*prediction.of(both).milliseconds, 2.5 - 1, 1e-9) << "a site in int8 saves half of 2 ms";
    EXPECT_FALSE(prediction.of({LabScheme::Half, LabScheme::Half, LabScheme::Float}).noise);
    // The effect of several unknown sites is split among them: together they match the measurement.
    const LabChoice dynamic{LabScheme::Dynamic8, LabScheme::Dynamic8, LabScheme::Float};
    addCandidates(known,
                  {{.choice = dynamic, .figures = {.noise = 0.002, .bytes = 2050, .milliseconds = 1.2}}});
    const LabPrediction more(study, {}, known);
    EXPECT_NEAR(*more.of(dynamic).noise, 0.002, 1e-12);
    EXPECT_NEAR(*more.of({LabScheme::Dynamic8, LabScheme::Float, LabScheme::Float}).noise, 0.002 * share,
                1e-12);
}

class LabSchemesTest : public LabPanelTest {
  protected:
    /// Chooses a scheme in the combo box of a row, as a user does.
    void choose(const QString& site, const QString& scheme) {
        const QModelIndex at = row(site);
        ASSERT_TRUE(at.isValid()) << site.toStdString();
        panel.views().sites.setFocus();
        panel.views().sites.setCurrentIndex(at);
        driver.press(Qt::Key_F2);
        auto* const box = panel.views().sites.viewport()->findChild<QComboBox*>();
        ASSERT_NE(box, nullptr);
        const int place = box->findText(scheme);
        ASSERT_GE(place, 0) << scheme.toStdString();
        ASSERT_TRUE(QTest::qWaitFor([box] { return box->view()->isVisible(); }, 5'000));
        box->view()->setCurrentIndex(box->model()->index(place, 0));
        QTest::keyClick(box->view(), Qt::Key_Return);
        QTest::qWait(0);
        EXPECT_EQ(at.siblingAtColumn(SiteModel::Scheme).data().toString(), scheme);
    }
    /// The first site with a weight that supports the scheme.
    [[nodiscard]] QString siteWith(const QString& scheme) {
        for (int i = 0; i < panel.views().sites.sites().rowCount(); ++i) {
            const QModelIndex at = panel.views().sites.sites().index(i, SiteModel::Scheme);
            if (at.data(SiteModel::SchemesRole).toStringList().contains(scheme)) {
                return at.siblingAtColumn(SiteModel::Site).data().toString();
            }
        }
        return {};
    }
};

TEST_F(LabSchemesTest, ASiteTakesAnySchemeAndIsMeasured) {
    openModel();
    study();
    for (const char* const name : {"w8a8-dynamic", "w8", "fp16"}) {
        const QString scheme = QLatin1String(name);
        const QString site = siteWith(scheme);
        ASSERT_FALSE(site.isEmpty()) << name;
        driver.trigger(QStringLiteral("All in int8"));
        choose(site, scheme);
        EXPECT_TRUE(figuresSay("measuring")) << panel.views().result.figures().text().toStdString();
        wait();
        const auto candidate =
            candidateOf(panel.views().experiment.candidates(), panel.views().sites.sites().choice());
        ASSERT_TRUE(candidate) << name << ": " << panel.views().result.figures().text().toStdString();
        const auto& figures = panel.views().experiment.candidates()[*candidate].figures;
        EXPECT_TRUE(figures.noise && figures.bytes && figures.milliseconds) << name;
        const auto point = panel.views().result.plot().content()->pointOf(*candidate);
        ASSERT_TRUE(point);
        const QString text =
            QString::fromStdString(panel.views().result.plot().content()->points()[*point].tip);
        EXPECT_TRUE(text.contains(scheme + QStringLiteral(": ") + site)) << text.toStdString();
    }
    // A measurement immediately predicts the site's effect in combination with others.
    driver.trigger(QStringLiteral("All in Float"));
    choose(siteWith(QStringLiteral("fp16")), QStringLiteral("fp16"));
    EXPECT_TRUE(figuresSay("predicted; measuring")) << panel.views().result.figures().text().toStdString();
    EXPECT_EQ(panel.views().result.plot().content()->points().back().candidate, std::nullopt)
        << "a diamond for it";
    wait();
    saveProgram(folder() / "mixed.pte");
    QFile recipe(QString::fromStdString((folder() / "mixed.py").string()));
    ASSERT_TRUE(recipe.open(QIODevice::ReadOnly));
    EXPECT_TRUE(recipe.readAll().contains("float16"));
}

TEST_F(LabSchemesTest, SpaceGoesRoundAllSchemes) {
    openModel();
    study();
    const QString site = siteWith(QStringLiteral("w8a8-dynamic"));
    panel.views().sites.setFocus();
    panel.views().sites.setCurrentIndex(row(site));
    const auto offered =
        row(site).siblingAtColumn(SiteModel::Scheme).data(SiteModel::SchemesRole).toStringList();
    ASSERT_GT(offered.size(), 3);
    for (qsizetype i = 1; i <= offered.size(); ++i) {
        driver.press(Qt::Key_Space);
        EXPECT_EQ(row(site).siblingAtColumn(SiteModel::Scheme).data().toString(),
                  offered[i % offered.size()]);
    }
    wait();
}

TEST_F(LabSchemesTest, ASessionKeepsSchemes) {
    openModel();
    study();
    choose(siteWith(QStringLiteral("w8")), QStringLiteral("w8"));
    wait();
    const LabChoice choice = panel.views().sites.sites().choice();
    ASSERT_TRUE(std::ranges::contains(choice, LabScheme::Weights8));
    const auto number = panel.views().experiment.candidates().size();
    const QByteArray state = panel.saveState();
    WindowDriver other;
    other.open({file(".pte"), file(".bpte"), file(".etrecord")});
    auto& again = *other.window().findChild<studio::LabPanel*>();
    again.restoreState(state);
    EXPECT_EQ(again.views().sites.sites().choice(), choice);
    EXPECT_EQ(again.views().experiment.candidates().size(), number);
    EXPECT_TRUE(candidateOf(again.views().experiment.candidates(), choice)) << "nothing is measured again";
}

TEST_F(LabSchemesTest, APointGoesToCompare) {
    openModel();
    study();
    driver.trigger(QStringLiteral("Compare with the Open Program"));
    driver.waitUntilIdle();
    driver.waitForComparison();
    EXPECT_TRUE(driver.compare().hasContent());
    EXPECT_TRUE(WindowDriver::onScreen(driver.compare())) << "it is in front";
    const auto& session = *driver.window().opened().session();
    EXPECT_EQ(session.files.program, file(".pte")) << "A has stayed";
    EXPECT_EQ(session.files.record, file(".etrecord"));
    const QString sides = driver.window().findChild<QLabel*>(QStringLiteral("compareFiles"))->text();
    EXPECT_TRUE(sides.contains(QStringLiteral("conv_net.pte"))) << sides.toStdString();
    EXPECT_TRUE(sides.contains(QStringLiteral("program0.pte"))) << sides.toStdString();
    EXPECT_FALSE(panel.views().experiment.candidates().empty()) << "the study has stayed";
    EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u'\n').toStdString();
}

TEST_F(LabSchemesTest, WithoutAProgramThatOfTheRecordIsCompared) {
    driver.open({file(".etrecord")});
    driver.enterPerspective("lab");
    chooseCalibration(file(".bpte"));
    study();
    driver.trigger(QStringLiteral("Compare with the Open Program"));
    driver.waitUntilIdle();
    driver.waitForComparison();
    EXPECT_TRUE(WindowDriver::onScreen(driver.compare())) << "it is in front";
    const QString sides = driver.window().findChild<QLabel*>(QStringLiteral("compareFiles"))->text();
    EXPECT_TRUE(sides.contains(QStringLiteral("program0.pte"))) << sides.toStdString();
    EXPECT_TRUE(driver.window().opened().session()->program);
    EXPECT_EQ(driver.window().opened().session()->files.record, file(".etrecord"));
    EXPECT_FALSE(panel.views().experiment.candidates().empty()) << "the study has stayed";
    EXPECT_TRUE(driver.errors().isEmpty()) << driver.errors().join(u'\n').toStdString();
}

}  // namespace

}  // namespace et::test
