#pragma once

#include <QSyntaxHighlighter>
#include <QTextCharFormat>

namespace et::visualizers {

/// Highlights Python: keywords, defined names, strings (including multi-line), numbers, comments and
/// decorators.
class PythonHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

  public:
    explicit PythonHighlighter(QTextDocument* document);

    /// Whether the background is dark.
    void setDark(bool dark);

  protected:
    void highlightBlock(const QString& text) override;

  private:
    /// Position after a string that ends on this line, otherwise the end of the line.
    [[nodiscard]] qsizetype string(const QString& text, qsizetype from, qsizetype content,
                                   const QString& quote);
    [[nodiscard]] qsizetype word(const QString& text, qsizetype from);
    [[nodiscard]] qsizetype number(const QString& text, qsizetype from);
    void paint(qsizetype from, qsizetype to, const QTextCharFormat& format);

    QTextCharFormat keywords;
    QTextCharFormat definitions;
    QTextCharFormat strings;
    QTextCharFormat numbers;
    QTextCharFormat comments;
    QTextCharFormat decorators;
};

}  // namespace et::visualizers
