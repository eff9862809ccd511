#pragma once

#include <QSyntaxHighlighter>
#include <QTextCharFormat>

namespace et::visualizers {

/// Colours keywords, names of tables, numbers, texts and comments, fit for the palette that the document is
/// shown in.
class SqlHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

  public:
    explicit SqlHighlighter(QTextDocument* document);

    void setDark(bool dark);

  protected:
    void highlightBlock(const QString& text) override;

  private:
    void highlightWords(const QString& text);
    /// Texts and comments, which may go on over lines; words inside of them are none.
    void highlightQuoted(const QString& text);

    QTextCharFormat keyword;
    QTextCharFormat table;
    QTextCharFormat number;
    QTextCharFormat quoted;
    QTextCharFormat comment;
};

}  // namespace et::visualizers
