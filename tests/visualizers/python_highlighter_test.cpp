// Tests of syntax colouring of Python.
#include "visualizers/source/python_highlighter.h"

#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>

#include <gtest/gtest.h>

namespace et::test {

namespace {

class PythonHighlighterTest : public testing::Test {
  protected:
    void show(const QString& code) {
        document.setPlainText(code);
        highlighter.rehighlight();
    }
    /// Coloured tokens of a line as text.
    [[nodiscard]] QStringList coloured(int line) const {
        const QTextBlock block = document.findBlockByNumber(line);
        QStringList parts;
        for (const QTextLayout::FormatRange& range : block.layout()->formats()) {
            parts.append(block.text().mid(range.start, range.length));
        }
        return parts;
    }

    QTextDocument document;
    visualizers::PythonHighlighter highlighter{&document};
};

TEST_F(PythonHighlighterTest, KeywordsNamesNumbersAndComments) {
    show(QStringLiteral("def forward(self, x1):  # def no\n    return x1 + 2.5e3\nclassy = 1"));
    EXPECT_EQ(coloured(0),
              (QStringList{QStringLiteral("def"), QStringLiteral("forward"), QStringLiteral("# def no")}));
    EXPECT_EQ(coloured(1), (QStringList{QStringLiteral("return"), QStringLiteral("2.5e3")}));
    EXPECT_EQ(coloured(2), QStringList{QStringLiteral("1")}) << "a keyword is a whole word";
}

TEST_F(PythonHighlighterTest, StringsEndAtTheClosingQuote) {
    show(QStringLiteral("a = 'it\\'s # no' + rb\"x\"  # yes\nb = 'open\nreturn"));
    EXPECT_EQ(coloured(0).first(), QStringLiteral("'it\\'s # no'"));
    EXPECT_TRUE(coloured(0).contains(QStringLiteral("# yes")));
    EXPECT_EQ(coloured(1), QStringList{QStringLiteral("'open")});
    EXPECT_EQ(coloured(2), QStringList{QStringLiteral("return")}) << "it ends with its line";
}

TEST_F(PythonHighlighterTest, TripleQuotesGoOnOverLines) {
    show(QStringLiteral("\"\"\"One\nreturn ''' two\nend\"\"\" + x\n@torch.no_grad()\nx @ y"));
    EXPECT_EQ(coloured(1), QStringList{QStringLiteral("return ''' two")});
    EXPECT_EQ(coloured(2), QStringList{QStringLiteral("end\"\"\"")});
    EXPECT_EQ(coloured(3), QStringList{QStringLiteral("@torch.no_grad()")});
    EXPECT_EQ(coloured(4), QStringList()) << "a product is no decorator";
}

}  // namespace

}  // namespace et::test
