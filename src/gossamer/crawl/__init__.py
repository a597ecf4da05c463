"""How are pages fetched, politely and within budget? (The packages of a crawl.)"""
