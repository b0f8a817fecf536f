document = getDOMImplementation().createDocument(None, 'list', None)
for text in ['one', 2, 'three']:
    item = document.createElement('item')
    item.setAttribute('n', str(text))
    item.appendChild(document.createTextNode('value'))
    item.setAttributeNode(document.createAttribute('kind'))
    document.documentElement.appendChild(item)
document.documentElement.setAttribute('length', 3)
print(document.toprettyxml())
