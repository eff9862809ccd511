// Tests of saved lab studies, of which programs are worth a study, and of the links to the lab.
#include "app/studio/lab/saved_lab.h"
#include "app/studio/overview/finding_actions.h"

#include <QDataStream>

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace et::test {

namespace {

using visualizers::addCandidates;
using visualizers::LabCandidate;
using visualizers::LabScheme;

TEST(SavedLab, FindingsAboutQuantizationLeadToTheLab) {
    for (const char* const rule : {"quantize-outside", "weight-bound-decode"}) {
        const auto* const action = studio::actionOf(rule);
        ASSERT_TRUE(action != nullptr) << rule;
        EXPECT_EQ(std::string_view(action->panel), "lab") << rule;
    }
}

TEST(SavedLab, IsEmptyIfBytesAreMissing) {
    const studio::SavedLab kept{
        .record = "abc", .study = "{}", .candidates = "[]", .schemes = {"conv", "linear=fp16"}};
    QByteArray bytes;
    QDataStream written(&bytes, QIODevice::WriteOnly);
    written << kept;
    for (qsizetype size = 0; size <= bytes.size(); ++size) {
        QDataStream stream(bytes.first(size));
        studio::SavedLab read{.record = "before"};
        stream >> read;
        EXPECT_EQ(read, size == bytes.size() ? kept : studio::SavedLab()) << size;
    }
    QByteArray huge;
    QDataStream hugeStream(&huge, QIODevice::WriteOnly);
    hugeStream << QByteArray("abc") << QByteArray("\x7f\xff\xff\xff\x78\x9c", 6) << QByteArray()
               << QStringList() << QString() << QString();
    studio::SavedLab read;
    QDataStream stream(huge);
    stream >> read;
    EXPECT_TRUE(read.study.isEmpty()) << "two gigabytes are none of a study";
}

TEST(LabCandidates, AreOnTheParetoFrontUnlessDominated) {
    std::vector<LabCandidate> all;
    addCandidates(all, {{.choice = {LabScheme::Static8, LabScheme::Static8},
                         .figures = {.noise = 0.01, .bytes = 10, .milliseconds = 1}},
                        {.choice = {LabScheme::Float, LabScheme::Static8},
                         .figures = {.noise = 0.02, .bytes = 20, .milliseconds = 1.01}},
                        {.choice = {LabScheme::Float, LabScheme::Float},
                         .figures = {.noise = 0, .bytes = 30, .milliseconds = 3}}});
    EXPECT_TRUE(all[0].onFront);
    EXPECT_FALSE(all[1].onFront) << "times within 2 % are equal, all else is worse";
    EXPECT_TRUE(all[2].onFront);
    addCandidates(all, {{.choice = {LabScheme::Float, LabScheme::Static8}, .figures = {.noise = 0.001}}});
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[1].figures.bytes, 20) << "what is not said stays";
    EXPECT_TRUE(all[1].onFront);
}

}  // namespace

}  // namespace et::test
